// Calls a service with the client that openapi-generator makes for Go, and prints what it got.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"

	"generated/openapigenerator/api"

	"golang.org/x/oauth2"
)

var p = os.Getenv("PREFIX")

// must is the answer of a call, without its response.
func must[T any](value T, _ *http.Response, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// refusal is the body of a refused call.
func refusal(response *http.Response, err error) []any {
	var failure *api.GenericOpenAPIError
	if !errors.As(err, &failure) {
		panic(err)
	}
	body, ok := failure.Model().(api.Error)
	if !ok {
		panic(failure.Model())
	}
	codes := []string{}
	for _, cause := range body.Causes {
		codes = append(codes, cause.DetailCode)
	}
	return []any{response.StatusCode, body.DetailCode, codes}
}

func side(id string) api.CriteriaSide {
	return *api.NewCriteriaSide([]api.CriteriaItem{*api.NewCriteriaItem("ENTITLEMENT", id)})
}

func main() {
	configuration := api.NewConfiguration()
	configuration.Servers = api.ServerConfigurations{{URL: os.Getenv("SERVICE_URL")}}
	client := api.NewAPIClient(configuration)
	granted := must(client.ServiceAPI.CreateToken(context.Background()).
		GrantType("client_credentials").ClientId(os.Getenv("CLIENT_ID")).ClientSecret(os.Getenv("CLIENT_SECRET")).Execute())
	tokens := oauth2.StaticTokenSource(&oauth2.Token{AccessToken: granted.AccessToken})
	ctx := context.WithValue(context.Background(), api.ContextOAuth2, tokens)

	imported := must(client.AccessModelAPI.ImportAccessModelV1(ctx).Body(os.Getenv("LINES")).Execute())
	warnings := [][]any{}
	for _, warning := range imported.Warnings {
		warnings = append(warnings, []any{warning.Code, warning.Severity})
	}
	listed := must(client.LookUpsAPI.ListEntitlementsV1(ctx).
		Filters(fmt.Sprintf(`id in ("%s-pay", "%s-vendor")`, p, p)).Sorters("-id").Limit(10).Count(true).Execute())
	ids := []string{}
	for _, entitlement := range listed {
		ids = append(ids, entitlement.Id)
	}
	identity := must(client.LookUpsAPI.GetIdentityV1(ctx, p+"-ada").Execute())
	assigned := [][]any{}
	for _, assignment := range identity.Assignments {
		assigned = append(assigned, []any{assignment.Id, assignment.End.Get()})
	}
	operation := api.NewJsonpatchoperation("replace", "/capabilities")
	operation.SetValue([]string{"HELPDESK"})
	patched := must(client.AuthUsersAPI.PatchAuthUserV1(ctx, p+"-ada").
		Jsonpatchoperation([]api.Jsonpatchoperation{*operation}).Execute())
	fields := api.NewSodPolicyFields(p+" policy", api.TwoSidedCriteriaAsSodPolicyFieldsConflictingAccessCriteria(
		api.NewTwoSidedCriteria(side(p+"-pay"), side(p+"-vendor")),
	))
	fields.SetLevel("CRITICAL")
	policy := must(client.SODPoliciesAPI.CreateSodPolicyV1(ctx).SodPolicyFields(*fields).Execute())
	asked := api.NewIdentitywithnewaccess(p+"-ada", []api.RequestedAccess{
		*api.NewRequestedAccess("ENTITLEMENT", p+"-pay"),
	})
	predicted := must(client.SODViolationsAPI.StartPredictSodViolationsV1(ctx).
		Identitywithnewaccess(*asked).Include([]string{"via"}).Execute())
	violation := predicted.ViolationContexts[0]
	left := [][]any{}
	for _, item := range violation.ConflictingAccessCriteria.TwoSidedConflict.LeftCriteria.CriteriaList {
		left = append(left, []any{item.Id, len(item.Via)})
	}
	profiles := must(client.AuthProfilesAPI.GetProfileConfigListV1(ctx).XServiceExperimental("true").Execute())
	hasProfile := false
	for _, profile := range profiles {
		hasProfile = hasProfile || profile.Name == p+" people"
	}
	exported := must(client.AccessModelAPI.ExportAccessModelV1(ctx).Execute())
	created := must(client.OAuthClientsAPI.CreateOauthClientV1(ctx).
		CreateOAuthClientRequest(*api.NewCreateOAuthClientRequest(p, []string{"sod-policies:read"})).Execute())
	_, response, err := client.ControlsAPI.GetControlV1(ctx, p+"-none").Execute()
	missing := refusal(response, err)
	_, response, err = client.ControlsAPI.CreateControlV1(ctx).ControlFields(*api.NewControlFields(p, "0d")).Execute()
	refused := refusal(response, err)
	removed, err := client.OAuthClientsAPI.DeleteOauthClientV1(ctx, created.Id).Execute()
	if err != nil {
		panic(err)
	}

	err = json.NewEncoder(os.Stdout).Encode(map[string]any{
		"token":        granted.TokenType,
		"imported":     imported.Counts.Entitlement.Created,
		"warnings":     warnings,
		"listed":       ids,
		"lastLogin":    identity.LastLoginTimestamp.Get(),
		"assigned":     assigned,
		"capabilities": patched.Capabilities,
		"level":        policy.Level,
		"violated":     []any{violation.Policy.Name, violation.Policy.Level},
		"left":         left,
		"hasProfile":   hasProfile,
		"isExported":   strings.Contains(exported, fmt.Sprintf(`"id":"%s-vendor"`, p)),
		"scopes":       created.Scopes,
		"missing":      missing[:2],
		"refused":      []any{refused[0], refused[2]},
		"removed":      removed.StatusCode,
	})
	if err != nil {
		panic(err)
	}
}
