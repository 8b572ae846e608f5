import com.google.gson.GsonBuilder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.JSON;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

/** Calls a service with the client that openapi-generator makes for Java, and prints what it got. */
public class Call {
  private static final String P = System.getenv("PREFIX");

  private interface Request {
    Object send() throws ApiException;
  }

  private static CriteriaSide side(String id) {
    return new CriteriaSide().addCriteriaListItem(new CriteriaItem().type(CriteriaItem.TypeEnum.ENTITLEMENT).id(id));
  }

  private static List<Object> refusalOf(Request request, boolean isOfCauses) throws Exception {
    try {
      throw new IllegalStateException("not refused: " + request.send());
    } catch (ApiException refused) {
      var body = org.openapitools.client.model.Error.fromJson(refused.getResponseBody());
      var codes = body.getCauses().stream().map(ErrorCausesInner::getDetailCode).toList();
      return List.of(refused.getCode(), isOfCauses ? codes : body.getDetailCode());
    }
  }

  public static void main(String[] arguments) throws Exception {
    var client = new ApiClient().setBasePath(System.getenv("SERVICE_URL"));
    var token = new ServiceApi(client)
        .createToken("client_credentials", System.getenv("CLIENT_ID"), System.getenv("CLIENT_SECRET"), null);
    client.setAccessToken(token.getAccessToken());

    var accessModel = new AccessModelApi(client);
    var imported = accessModel.importAccessModelV1(System.getenv("LINES"), null);
    var lookUps = new LookUpsApi(client);
    var filters = String.format("id in (\"%s-pay\", \"%s-vendor\")", P, P);
    var listed = lookUps.listEntitlementsV1(10, null, true, filters, "-id", null);
    var identity = lookUps.getIdentityV1(P + "-ada");
    var operation = new Jsonpatchoperation()
        .op(Jsonpatchoperation.OpEnum.REPLACE).path("/capabilities").value(List.of("HELPDESK"));
    var patched = new AuthUsersApi(client).patchAuthUserV1(P + "-ada", List.of(operation), null);
    var criteria = new TwoSidedCriteria().leftCriteria(side(P + "-pay")).rightCriteria(side(P + "-vendor"));
    var policy = new SodPoliciesApi(client).createSodPolicyV1(new SodPolicyFields()
        .name(P + " policy")
        .level(SodPolicyFields.LevelEnum.CRITICAL)
        .conflictingAccessCriteria(new SodPolicyFieldsConflictingAccessCriteria(criteria)));
    var asked = new Identitywithnewaccess().identityId(P + "-ada")
        .addAccessRefsItem(new RequestedAccess().type(RequestedAccess.TypeEnum.ENTITLEMENT).id(P + "-pay"));
    var predicted = new SodViolationsApi(client).startPredictSodViolationsV1(asked, Set.of("via"));
    var violation = predicted.getViolationContexts().get(0);
    var left = violation.getConflictingAccessCriteria().getTwoSidedConflict().getLeftCriteria().getCriteriaList();
    var profiles = new AuthProfilesApi(client).getProfileConfigListV1("true", null, null, null);
    var exported = accessModel.exportAccessModelV1();
    var clients = new OAuthClientsApi(client);
    var created = clients.createOauthClientV1(new CreateOAuthClientRequest()
        .name(P).addScopesItem(CreateOAuthClientRequest.ScopesEnum.SOD_POLICIES_READ));
    var controls = new ControlsApi(client);
    var missing = refusalOf(() -> controls.getControlV1(P + "-none"), false);
    var refused = refusalOf(() -> controls.createControlV1(new ControlFields().name(P).expiration("0d")), true);
    var removed = clients.deleteOauthClientV1WithHttpInfo(created.getId(), null);

    Map<String, Object> got = new LinkedHashMap<>();
    got.put("token", token.getTokenType());
    got.put("imported", imported.getCounts().getEntitlement().getCreated());
    got.put("warnings", imported.getWarnings().stream().map((each) -> List.of(each.getCode(), each.getSeverity())).toList());
    got.put("listed", listed.stream().map(Entitlement::getId).toList());
    got.put("lastLogin", identity.getLastLoginTimestamp());
    got.put("assigned", identity.getAssignments().stream()
        .map((each) -> Arrays.asList(each.getId(), each.getEnd())).toList());
    got.put("capabilities", patched.getCapabilities());
    got.put("level", policy.getLevel());
    got.put("violated", List.of(violation.getPolicy().getName(), violation.getPolicy().getLevel()));
    got.put("left", left.stream().map((item) -> List.of(item.getId(), item.getVia().size())).toList());
    got.put("hasProfile", profiles.stream().anyMatch((profile) -> profile.getName().equals(P + " people")));
    got.put("isExported", exported.contains(String.format("\"id\":\"%s-vendor\"", P)));
    got.put("scopes", created.getScopes());
    got.put("missing", missing);
    got.put("refused", refused);
    got.put("removed", removed.getStatusCode());
    JSON.setGson(new GsonBuilder().serializeNulls().create());
    System.out.println(JSON.serialize(got));
    System.exit(0);
  }
}
