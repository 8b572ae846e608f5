// Calls a service with the client that oapi-codegen makes, and prints what it got.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"

	"generated/oapicodegen/api"
)

var (
	ctx     = context.Background()
	address = os.Getenv("SERVICE_URL")
	p       = os.Getenv("PREFIX")
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func to[T any](value T) *T { return &value }

func side(id string) api.CriteriaSide {
	item := api.CriteriaItem{Type: "ENTITLEMENT", Id: id}
	return api.CriteriaSide{CriteriaList: []api.CriteriaItem{item}}
}

func main() {
	anyone := must(api.NewClientWithResponses(address))
	granted := must(anyone.CreateTokenWithFormdataBodyWithResponse(ctx, api.CreateTokenFormdataRequestBody{
		GrantType:    "client_credentials",
		ClientId:     to(os.Getenv("CLIENT_ID")),
		ClientSecret: to(os.Getenv("CLIENT_SECRET")),
	})).JSON200
	client := must(api.NewClientWithResponses(address, api.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+granted.AccessToken)
		return nil
	})))

	imported := must(client.ImportAccessModelV1WithBodyWithResponse(
		ctx, nil, "application/x-ndjson", strings.NewReader(os.Getenv("LINES")),
	)).JSON200
	warnings := [][]any{}
	for _, warning := range imported.Warnings {
		warnings = append(warnings, []any{warning.Code, warning.Severity})
	}
	listed := must(client.ListEntitlementsV1WithResponse(ctx, &api.ListEntitlementsV1Params{
		Filters: to(fmt.Sprintf(`id in ("%s-pay", "%s-vendor")`, p, p)),
		Sorters: to("-id"),
		Limit:   to(10),
		Count:   to(true),
	})).JSON200
	ids := []string{}
	for _, entitlement := range *listed {
		ids = append(ids, entitlement.Id)
	}
	identity := must(client.GetIdentityV1WithResponse(ctx, p+"-ada")).JSON200
	assigned := [][]any{}
	for _, assignment := range identity.Assignments {
		assigned = append(assigned, []any{assignment.Id, assignment.End})
	}
	patched := must(client.PatchAuthUserV1WithApplicationJSONPatchPlusJSONBodyWithResponse(ctx, p+"-ada", nil,
		[]api.Jsonpatchoperation{{Op: "replace", Path: "/capabilities", Value: []string{"HELPDESK"}}},
	)).JSON200
	fields := api.SodPolicyFields{Name: p + " policy", Level: to(api.SodPolicyFieldsLevel("CRITICAL"))}
	criteria := api.TwoSidedCriteria{LeftCriteria: side(p + "-pay"), RightCriteria: side(p + "-vendor")}
	must(0, fields.ConflictingAccessCriteria.FromTwoSidedCriteria(criteria))
	policy := must(client.CreateSodPolicyV1WithResponse(ctx, fields)).JSON201
	predicted := must(client.StartPredictSodViolationsV1WithResponse(ctx,
		&api.StartPredictSodViolationsV1Params{Include: to([]api.StartPredictSodViolationsV1ParamsInclude{"via"})},
		api.Identitywithnewaccess{
			IdentityId: p + "-ada",
			AccessRefs: []api.RequestedAccess{{Type: "ENTITLEMENT", Id: p + "-pay"}},
		},
	)).JSON200
	violation := predicted.ViolationContexts[0]
	left := [][]any{}
	for _, item := range must(violation.ConflictingAccessCriteria.AsTwoSidedConflict()).LeftCriteria.CriteriaList {
		left = append(left, []any{item.Id, len(*item.Via)})
	}
	profiles := must(client.GetProfileConfigListV1WithResponse(ctx, &api.GetProfileConfigListV1Params{
		XServiceExperimental: "true",
	})).JSON200
	hasProfile := false
	for _, profile := range *profiles {
		hasProfile = hasProfile || profile.Name == p+" people"
	}
	exported := must(client.ExportAccessModelV1WithResponse(ctx))
	created := must(client.CreateOauthClientV1WithResponse(ctx, api.CreateOAuthClientRequest{
		Name:   p,
		Scopes: []api.CreateOAuthClientRequestScopes{"sod-policies:read"},
	})).JSON201
	missing := must(client.GetControlV1WithResponse(ctx, p+"-none")).JSON404
	refused := must(client.CreateControlV1WithResponse(ctx, api.ControlFields{Name: p, Expiration: "0d"})).JSON400
	codes := []string{}
	for _, cause := range refused.Causes {
		codes = append(codes, cause.DetailCode)
	}
	removed := must(client.DeleteOauthClientV1WithResponse(ctx, created.Id, nil))

	must(0, json.NewEncoder(os.Stdout).Encode(map[string]any{
		"token":        granted.TokenType,
		"imported":     imported.Counts.Entitlement.Created,
		"warnings":     warnings,
		"listed":       ids,
		"lastLogin":    identity.LastLoginTimestamp,
		"assigned":     assigned,
		"capabilities": patched.Capabilities,
		"level":        policy.Level,
		"violated":     []any{violation.Policy.Name, violation.Policy.Level},
		"left":         left,
		"hasProfile":   hasProfile,
		"isExported":   strings.Contains(string(exported.Body), fmt.Sprintf(`"id":"%s-vendor"`, p)),
		"scopes":       created.Scopes,
		"missing":      []any{404, missing.DetailCode},
		"refused":      []any{400, codes},
		"removed":      removed.StatusCode(),
	}))
}
