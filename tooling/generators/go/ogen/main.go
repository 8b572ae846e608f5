// Calls a service with the client that ogen makes, and prints what it got.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"generated/ogen/api"
)

var (
	ctx     = context.Background()
	address = os.Getenv("SERVICE_URL")
	p       = os.Getenv("PREFIX")
)

type token string

func (t token) OAuth(context.Context, api.OperationName) (api.OAuth, error) {
	return api.OAuth{Token: string(t)}, nil
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// as is the answer in the form that is expected of it.
func as[T any](value any) T {
	form, ok := value.(T)
	if !ok {
		panic(fmt.Sprintf("%T: %+v", value, value))
	}
	return form
}

func side(id string) api.CriteriaSide {
	item := api.CriteriaItem{Type: api.CriteriaItemTypeENTITLEMENT, ID: id}
	return api.CriteriaSide{CriteriaList: []api.CriteriaItem{item}}
}

func main() {
	anyone := must(api.NewClient(address, token("")))
	granted := as[*api.CreateTokenOK](must(anyone.CreateToken(ctx, &api.CreateTokenReq{
		GrantType:    api.CreateTokenReqGrantTypeClientCredentials,
		ClientID:     api.NewOptString(os.Getenv("CLIENT_ID")),
		ClientSecret: api.NewOptString(os.Getenv("CLIENT_SECRET")),
	})))
	client := must(api.NewClient(address, token(granted.AccessToken)))

	lines := api.ImportAccessModelV1Req{Data: strings.NewReader(os.Getenv("LINES"))}
	imported := as[*api.ImportResult](must(client.ImportAccessModelV1(ctx, lines, api.ImportAccessModelV1Params{})))
	warnings := [][]any{}
	for _, warning := range imported.Warnings {
		warnings = append(warnings, []any{warning.Code, warning.Severity})
	}
	listed := as[*api.ListEntitlementsV1OKHeaders](must(client.ListEntitlementsV1(ctx, api.ListEntitlementsV1Params{
		Filters: api.NewOptString(fmt.Sprintf(`id in ("%s-pay", "%s-vendor")`, p, p)),
		Sorters: api.NewOptString("-id"),
		Limit:   api.NewOptInt(10),
		Count:   api.NewOptBool(true),
	})))
	ids := []string{}
	for _, entitlement := range listed.Response {
		ids = append(ids, entitlement.ID)
	}
	identity := as[*api.IdentityHeaders](must(client.GetIdentityV1(ctx, api.GetIdentityV1Params{ID: p + "-ada"}))).Response
	assigned := [][]any{}
	for _, assignment := range identity.Assignments {
		if end, ok := assignment.End.Get(); ok {
			assigned = append(assigned, []any{assignment.ID, end})
		} else {
			assigned = append(assigned, []any{assignment.ID, nil})
		}
	}
	operation := api.Jsonpatchoperation{Op: api.JsonpatchoperationOpReplace, Path: "/capabilities", Value: []byte(`["HELPDESK"]`)}
	patched := as[*api.AuthuserHeaders](must(client.PatchAuthUserV1(ctx, []api.Jsonpatchoperation{operation}, api.PatchAuthUserV1Params{ID: p + "-ada"}))).Response
	policy := as[*api.SodPolicy](must(client.CreateSodPolicyV1(ctx, &api.SodPolicyFields{
		Name:  p + " policy",
		Level: api.NewOptSodPolicyFieldsLevel(api.SodPolicyFieldsLevelCRITICAL),
		ConflictingAccessCriteria: api.NewTwoSidedCriteriaSodPolicyFieldsConflictingAccessCriteria(
			api.TwoSidedCriteria{LeftCriteria: side(p + "-pay"), RightCriteria: side(p + "-vendor")},
		),
	})))
	predicted := as[*api.Violationprediction](must(client.StartPredictSodViolationsV1(ctx, &api.Identitywithnewaccess{
		IdentityId: p + "-ada",
		AccessRefs: []api.RequestedAccess{
			{Type: api.RequestedAccessTypeENTITLEMENT, ID: p + "-pay"},
		},
	}, api.StartPredictSodViolationsV1Params{
		Include: []api.StartPredictSodViolationsV1IncludeItem{api.StartPredictSodViolationsV1IncludeItemVia},
	})))
	context := predicted.ViolationContexts[0]
	left := [][]any{}
	for _, item := range context.ConflictingAccessCriteria.TwoSidedConflict.LeftCriteria.CriteriaList {
		left = append(left, []any{item.ID, len(item.Via)})
	}
	profiles := as[*api.GetProfileConfigListV1OKHeaders](must(client.GetProfileConfigListV1(ctx, api.GetProfileConfigListV1Params{
		XServiceExperimental: "true",
	})))
	hasProfile := false
	for _, profile := range profiles.Response {
		hasProfile = hasProfile || profile.Name == p+" people"
	}
	exported := as[*api.ExportAccessModelV1OK](must(client.ExportAccessModelV1(ctx)))
	text := string(must(io.ReadAll(exported)))
	created := as[*api.OAuthClientWithSecret](must(client.CreateOAuthClientV1(ctx, &api.CreateOAuthClientRequest{
		Name:   p,
		Scopes: []api.CreateOAuthClientRequestScopesItem{api.CreateOAuthClientRequestScopesItemSodPoliciesRead},
	})))
	missing := as[*api.GetControlV1NotFound](must(client.GetControlV1(ctx, api.GetControlV1Params{ID: p + "-none"})))
	refused := as[*api.CreateControlV1BadRequest](must(client.CreateControlV1(ctx, &api.ControlFields{Name: p, Expiration: "0d"})))
	codes := []string{}
	for _, cause := range refused.Causes {
		codes = append(codes, cause.DetailCode)
	}
	as[*api.DeleteOAuthClientV1NoContent](must(client.DeleteOAuthClientV1(ctx, api.DeleteOAuthClientV1Params{ID: created.ID})))

	must(0, json.NewEncoder(os.Stdout).Encode(map[string]any{
		"token":        granted.TokenType,
		"imported":     imported.Counts.Entitlement.Created,
		"warnings":     warnings,
		"listed":       ids,
		"lastLogin":    identity.LastLoginTimestamp.Value,
		"assigned":     assigned,
		"capabilities": patched.Capabilities,
		"level":        policy.Level,
		"violated":     []any{context.Policy.Name, context.Policy.Level},
		"left":         left,
		"hasProfile":   hasProfile,
		"isExported":   strings.Contains(text, fmt.Sprintf(`"id":"%s-vendor"`, p)),
		"scopes":       created.Scopes,
		"missing":      []any{404, missing.DetailCode},
		"refused":      []any{400, codes},
		"removed":      204,
	}))
}
