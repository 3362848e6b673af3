// The official Java client against an API server: lists of every kind, and an informer of ConfigMaps.
// java -cp JARS JavaClient.java URL CA_FILE TOKEN    Prints one JSON object.
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.common.KubernetesListObject;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.models.*;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.credentials.AccessTokenAuthentication;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

class JavaClient {
  static io.kubernetes.client.openapi.ApiClient client;
  static final Map<String, Object> answer = new LinkedHashMap<>();

  static <O extends KubernetesObject, L extends KubernetesListObject> GenericKubernetesApi<O, L> api(
      Class<O> one, Class<L> list, String group, String plural) {
    return new GenericKubernetesApi<>(one, list, group, "v1", plural, client);
  }

  static <O extends KubernetesObject, L extends KubernetesListObject> void count(
      Class<O> one, Class<L> list, String group, String plural) throws Exception {
    answer.put(plural, api(one, list, group, plural).list().throwsApiException().getObject().getItems().size());
  }

  public static void main(String[] args) throws Exception {
    client = new ClientBuilder()
        .setBasePath(args[0])
        .setCertificateAuthority(Files.readAllBytes(Path.of(args[1])))
        .setAuthentication(new AccessTokenAuthentication(args[2]))
        .build();
    String rbac = "rbac.authorization.k8s.io";
    count(V1ConfigMap.class, V1ConfigMapList.class, "", "configmaps");
    count(CoreV1Event.class, CoreV1EventList.class, "", "events");
    count(V1Namespace.class, V1NamespaceList.class, "", "namespaces");
    count(V1Node.class, V1NodeList.class, "", "nodes");
    count(V1Pod.class, V1PodList.class, "", "pods");
    count(V1Secret.class, V1SecretList.class, "", "secrets");
    count(V1ServiceAccount.class, V1ServiceAccountList.class, "", "serviceaccounts");
    count(V1Service.class, V1ServiceList.class, "", "services");
    count(V1ClusterRole.class, V1ClusterRoleList.class, rbac, "clusterroles");
    count(V1ClusterRoleBinding.class, V1ClusterRoleBindingList.class, rbac, "clusterrolebindings");
    count(V1Role.class, V1RoleList.class, rbac, "roles");
    count(V1RoleBinding.class, V1RoleBindingList.class, rbac, "rolebindings");
    count(V1Lease.class, V1LeaseList.class, "coordination.k8s.io", "leases");

    var maps = api(V1ConfigMap.class, V1ConfigMapList.class, "", "configmaps");
    var seen = new LinkedBlockingQueue<String>();
    var factory = new SharedInformerFactory(client);
    var informer = factory.sharedIndexInformerFor(maps, V1ConfigMap.class, 0, "lab");
    informer.addEventHandler(new ResourceEventHandler<V1ConfigMap>() {
      void show(String kind, V1ConfigMap map) {
        if (map.getMetadata().getName().equals("java")) seen.add(kind + " " + map.getMetadata().getLabels());
      }

      public void onAdd(V1ConfigMap map) {
        show("added", map);
      }

      public void onUpdate(V1ConfigMap old, V1ConfigMap map) {
        show("updated", map);
      }

      public void onDelete(V1ConfigMap map, boolean unknown) {
        show("deleted", map);
      }
    });
    factory.startAllRegisteredInformers();
    while (!informer.hasSynced()) Thread.sleep(20);
    var events = new java.util.ArrayList<String>();
    maps.create(new V1ConfigMap().metadata(new V1ObjectMeta().namespace("lab").name("java"))).throwsApiException();
    events.add(seen.poll(20, TimeUnit.SECONDS));
    var label = new V1Patch("{\"metadata\":{\"labels\":{\"app\":\"x\"}}}");
    maps.patch("lab", "java", V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, label).throwsApiException();
    events.add(seen.poll(20, TimeUnit.SECONDS));
    maps.delete("lab", "java").throwsApiException();
    events.add(seen.poll(20, TimeUnit.SECONDS));
    answer.put("watched", events);
    System.out.println(new com.google.gson.Gson().toJson(answer));
    System.exit(0);
  }
}
