"""The official Python client and lightkube against an API server, as strict decoders: lists of every kind, in pages, and a watch.
python python-clients.py URL CA_FILE TOKEN    Prints one JSON object."""
import json
import sys

from kubernetes import client, watch
from lightkube import Client, KubeConfig
from lightkube.resources import coordination_v1, core_v1, rbac_authorization_v1

url, ca, token = sys.argv[1:4]

configuration = client.Configuration()
configuration.host = url
configuration.ssl_ca_cert = ca
configuration.api_key = {"authorization": f"Bearer {token}"}
api = client.ApiClient(configuration)
core = client.CoreV1Api(api)
rbac = client.RbacAuthorizationV1Api(api)
coordination = client.CoordinationV1Api(api)
official = {
    "configmaps": core.list_config_map_for_all_namespaces,
    "events": core.list_event_for_all_namespaces,
    "namespaces": core.list_namespace,
    "nodes": core.list_node,
    "pods": core.list_pod_for_all_namespaces,
    "secrets": core.list_secret_for_all_namespaces,
    "serviceaccounts": core.list_service_account_for_all_namespaces,
    "services": core.list_service_for_all_namespaces,
    "clusterroles": rbac.list_cluster_role,
    "clusterrolebindings": rbac.list_cluster_role_binding,
    "roles": rbac.list_role_for_all_namespaces,
    "rolebindings": rbac.list_role_binding_for_all_namespaces,
    "leases": coordination.list_lease_for_all_namespaces,
}
lists = {name: len(read().items) for name, read in official.items()}

config = KubeConfig.from_dict(
    {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "lab",
        "clusters": [{"name": "lab", "cluster": {"server": url, "certificate-authority": ca}}],
        "contexts": [{"name": "lab", "context": {"cluster": "lab", "user": "admin"}}],
        "users": [{"name": "admin", "user": {"token": token}}],
    }
)
light = Client(config=config.get())
everywhere = [core_v1.Namespace, core_v1.Node, rbac_authorization_v1.ClusterRole, rbac_authorization_v1.ClusterRoleBinding]
kinds = everywhere + [
    core_v1.ConfigMap,
    core_v1.Event,
    core_v1.Pod,
    core_v1.Secret,
    core_v1.ServiceAccount,
    core_v1.Service,
    rbac_authorization_v1.Role,
    rbac_authorization_v1.RoleBinding,
    coordination_v1.Lease,
]
pages = {}
for kind in kinds:
    where = {} if kind in everywhere else {"namespace": "*"}
    pages[kind.__name__.lower() + "s"] = len(list(light.list(kind, chunk_size=2, **where)))

name = {"metadata": {"name": "python"}}
present = core.list_namespaced_config_map("lab").metadata.resource_version
core.create_namespaced_config_map("lab", name)
core.patch_namespaced_config_map("python", "lab", {"metadata": {"labels": {"app": "x"}}})
core.delete_namespaced_config_map("python", "lab")
events = watch.Watch().stream(core.list_namespaced_config_map, "lab", resource_version=present, timeout_seconds=2)
print(json.dumps({"official": lists, "light": pages, "watched": [event["type"] for event in events]}))
