"""Checks a SCIM service with scim2-tester, and prints its results as JSON: `[[status, check, resource type, reason], …]`."""

import json
import os

from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import check_server

headers = {"Authorization": f"Bearer {os.environ['TOKEN']}"}
with Client(base_url=os.environ["SCIM_URL"], headers=headers, timeout=60) as client:
    results = check_server(SyncSCIMClient(client))

print(json.dumps([[each.status.name, each.title, each.resource_type, each.reason] for each in results]))
