// The informer of @kubernetes/client-node 1: node client-node-informer.js CLUSTER CA_FILE. Prints the changes of a ConfigMap that it saw as JSON.
import { CoreV1Api, KubeConfig, makeInformer, PatchStrategy, setHeaderOptions } from '@kubernetes/client-node'

const [server = '', caFile = ''] = process.argv.slice(2)
const config = new KubeConfig()
config.loadFromOptions({
  clusters: [{ name: 'lab', server, caFile }],
  users: [{ name: 'user', token: 'lab-admin-token' }],
  contexts: [{ name: 'lab', cluster: 'lab', user: 'user' }],
  currentContext: 'lab',
})
const core = config.makeApiClient(CoreV1Api)
const namespace = 'lab'
const name = 'informed-node'

const seen = []
let wake = () => {}
const informer = makeInformer(config, '/api/v1/namespaces/lab/configmaps', () =>
  core.listNamespacedConfigMap({ namespace }),
)
for (const verb of ['add', 'update', 'delete', 'error']) {
  informer.on(verb, object => {
    if (verb !== 'error' && object.metadata.name !== name) return
    seen.push([verb, object?.metadata?.labels?.app ?? null])
    wake()
  })
}
const next = async count => {
  while (seen.length < count) {
    await new Promise(resolve => {
      wake = resolve
    })
  }
}

await informer.start()
await core.createNamespacedConfigMap({ namespace, body: { metadata: { name } } })
await next(1)
await core.patchNamespacedConfigMap(
  { name, namespace, body: { metadata: { labels: { app: 'x' } } } },
  setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
)
await next(2)
await core.deleteNamespacedConfigMap({ name, namespace })
await next(3)
// The end of its own watch is an error to the informer too.
console.log(JSON.stringify(seen))
await informer.stop()
