// fabric8 against an API server: an informer of ConfigMaps, whose watch begins as a WebSocket. java -cp JARS Fabric8Client.java URL CA_FILE TOKEN
// Prints one JSON object.
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

class Fabric8Client {
  public static void main(String[] args) throws Exception {
    var config = new ConfigBuilder().withMasterUrl(args[0]).withCaCertFile(args[1]).withOauthToken(args[2]).build();
    var seen = new LinkedBlockingQueue<String>();
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
      var maps = client.configMaps().inNamespace("lab");
      var informer = maps.inform(new ResourceEventHandler<ConfigMap>() {
        void show(String kind, ConfigMap map) {
          if (map.getMetadata().getName().equals("fabric")) seen.add(kind + " " + map.getMetadata().getLabels() + " " + map.getData());
        }

        public void onAdd(ConfigMap map) {
          show("added", map);
        }

        public void onUpdate(ConfigMap old, ConfigMap map) {
          show("updated", map);
        }

        public void onDelete(ConfigMap map, boolean unknown) {
          show("deleted", map);
        }
      });
      var events = new ArrayList<String>();
      var map = new ConfigMapBuilder().withNewMetadata().withName("fabric").endMetadata().build();
      maps.resource(map).create();
      events.add(seen.poll(20, TimeUnit.SECONDS));
      maps.withName("fabric").edit(each -> new ConfigMapBuilder(each).editMetadata().addToLabels("app", "x").endMetadata().build());
      events.add(seen.poll(20, TimeUnit.SECONDS));
      maps.resource(new ConfigMapBuilder(map).withData(Map.of("a", "b")).build()).forceConflicts().serverSideApply();
      events.add(seen.poll(20, TimeUnit.SECONDS));
      maps.withName("fabric").delete();
      events.add(seen.poll(20, TimeUnit.SECONDS));
      System.out.println(Serialization.asJson(Map.of("watching", informer.isWatching(), "events", events)));
    }
    System.exit(0);
  }
}
