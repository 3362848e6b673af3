"""The Python SDK against a DNS API: sys.argv is the base URL, the token and the zone. Prints one JSON object."""

import json
import sys

from cloudflare import BadRequestError, Cloudflare

base_url, token, zone_id = sys.argv[1:]
client = Cloudflare(api_token=token, base_url=base_url, max_retries=0)
records = client.dns.records

before = [record.id for record in records.list(zone_id=zone_id, per_page=5)]
record = {"zone_id": zone_id, "type": "A", "name": "py.example.com", "ttl": 60}
made = records.create(content="192.0.2.90", **record)
try:
    records.create(content="192.0.2.90", **record)
    refused = None
except BadRequestError as error:
    refused = error.body["errors"][0]["code"]
edited = records.edit(made.id, content="192.0.2.91", **record)
found = records.list(zone_id=zone_id, type="A", name={"exact": "py.example.com"})
imported = records.import_(zone_id=zone_id, file="imported.example.com. 60 IN TXT \"a\" \"b\"\n")
exported = records.export(zone_id=zone_id)
deleted = records.delete(made.id, zone_id=zone_id)
setting = client.zones.settings.get("ssl", zone_id=zone_id)
print(
    json.dumps(
        {
            "token": client.user.tokens.verify().status,
            "zones": [zone.name for zone in client.zones.list()],
            "zone": client.zones.get(zone_id=zone_id).name,
            "accounts": len(list(client.accounts.list())),
            "before": len(before),
            "edited": edited.content,
            "refused": refused,
            "found": [each.id == made.id for each in found],
            "imported": imported.recs_added,
            "exported": "imported.example.com." in exported,
            "deleted": deleted.id == made.id,
            "setting": setting.value,
            "settings": len(client.dns.settings.zone.get(zone_id=zone_id).nameservers.type) > 0,
            "dnssec": client.dns.dnssec.get(zone_id=zone_id).status,
            "rules": len(client.page_rules.list(zone_id=zone_id)),
        }
    )
)
