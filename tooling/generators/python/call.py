"""Calls a service with the client that openapi-python-client makes, and prints what it got."""

import json
import os
from io import BytesIO

from access_admin_client import AuthenticatedClient, Client
from access_admin_client.api.access_model import export_access_model_v1, import_access_model_v1
from access_admin_client.api.auth_profiles import get_profile_config_list_v1
from access_admin_client.api.auth_users import patch_auth_user_v1
from access_admin_client.api.controls import create_control_v1, get_control_v1
from access_admin_client.api.look_ups import get_identity_v1, list_entitlements_v1
from access_admin_client.api.o_auth_clients import create_oauth_client_v1, delete_oauth_client_v1
from access_admin_client.api.service import create_token
from access_admin_client.api.sod_policies import create_sod_policy_v1
from access_admin_client.api.sod_violations import start_predict_sod_violations_v1
from access_admin_client.models import (
    ControlFields,
    CreateOAuthClientRequest,
    CreateTokenBody,
    Identitywithnewaccess,
    Jsonpatchoperation,
    SodPolicyFields,
    TwoSidedConflict,
)
from access_admin_client.models.create_token_body_grant_type import CreateTokenBodyGrantType
from access_admin_client.models.start_predict_sod_violations_v1_include_item import (
    StartPredictSodViolationsV1IncludeItem,
)
from access_admin_client.types import File

address = os.environ["SERVICE_URL"]
p = os.environ["PREFIX"]

token = create_token.sync(
    client=Client(base_url=address),
    body=CreateTokenBody(
        grant_type=CreateTokenBodyGrantType.CLIENT_CREDENTIALS,
        client_id=os.environ["CLIENT_ID"],
        client_secret=os.environ["CLIENT_SECRET"],
    ),
)
client = AuthenticatedClient(base_url=address, token=token.access_token)

imported = import_access_model_v1.sync(client=client, body=File(payload=BytesIO(os.environ["LINES"].encode())))
listed = list_entitlements_v1.sync(
    client=client, filters=f'id in ("{p}-pay", "{p}-vendor")', sorters="-id", limit=10, count=True
)
identity = get_identity_v1.sync(f"{p}-ada", client=client)
patched = patch_auth_user_v1.sync(
    f"{p}-ada",
    client=client,
    body=[Jsonpatchoperation.from_dict({"op": "replace", "path": "/capabilities", "value": ["HELPDESK"]})],
)


def side(item):
    return {"criteriaList": [{"type": "ENTITLEMENT", "id": item}]}


policy = create_sod_policy_v1.sync(
    client=client,
    body=SodPolicyFields.from_dict(
        {
            "name": f"{p} policy",
            "level": "CRITICAL",
            "conflictingAccessCriteria": {"leftCriteria": side(f"{p}-pay"), "rightCriteria": side(f"{p}-vendor")},
        }
    ),
)
predicted = start_predict_sod_violations_v1.sync(
    client=client,
    body=Identitywithnewaccess.from_dict(
        {"identityId": f"{p}-ada", "accessRefs": [{"type": "ENTITLEMENT", "id": f"{p}-pay"}]}
    ),
    include=[StartPredictSodViolationsV1IncludeItem.VIA],
)
[context] = predicted.violation_contexts
criteria = context.conflicting_access_criteria
assert isinstance(criteria, TwoSidedConflict)
profiles = get_profile_config_list_v1.sync(client=client, x_service_experimental="true")
exported = export_access_model_v1.sync(client=client)
created = create_oauth_client_v1.sync(
    client=client, body=CreateOAuthClientRequest.from_dict({"name": p, "scopes": ["sod-policies:read"]})
)
missing = get_control_v1.sync_detailed(f"{p}-none", client=client)
refused = create_control_v1.sync_detailed(
    client=client, body=ControlFields.from_dict({"name": p, "expiration": "0d"})
)
removed = delete_oauth_client_v1.sync_detailed(created.id, client=client)

print(
    json.dumps(
        {
            "token": token.token_type,
            "imported": imported.counts.entitlement.created,
            "warnings": [[warning.code, warning.severity] for warning in imported.warnings],
            "listed": [entitlement.id for entitlement in listed],
            "lastLogin": identity.last_login_timestamp,
            "assigned": [[assignment.id, assignment.end] for assignment in identity.assignments],
            "capabilities": patched.capabilities,
            "level": policy.level,
            "violated": [context.policy.name, context.policy.level],
            "left": [[item.id, len(item.via)] for item in criteria.left_criteria.criteria_list],
            "hasProfile": any(profile.name == f"{p} people" for profile in profiles),
            "isExported": f'"id":"{p}-vendor"'.encode() in exported,
            "scopes": created.scopes,
            "missing": [missing.status_code, missing.parsed.detail_code],
            "refused": [refused.status_code, [cause.detail_code for cause in refused.parsed.causes]],
            "removed": removed.status_code,
        }
    )
)
