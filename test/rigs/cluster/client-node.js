// @kubernetes/client-node 1 with a token request, reviews and accounts: node client-node.js CLUSTER CA_FILE.
// Prints what it got as JSON.
import { AuthenticationV1Api, CoreV1Api, KubeConfig } from '@kubernetes/client-node'

const [server = '', caFile = ''] = process.argv.slice(2)

function configOf(token) {
  const config = new KubeConfig()
  config.loadFromOptions({
    clusters: [{ name: 'lab', server, caFile }],
    users: [{ name: 'user', token }],
    contexts: [{ name: 'lab', cluster: 'lab', user: 'user' }],
    currentContext: 'lab',
  })
  return config
}

const config = configOf('lab-admin-token')
const core = config.makeApiClient(CoreV1Api)
const authentication = config.makeApiClient(AuthenticationV1Api)

const requested = await core.createNamespacedServiceAccountToken({
  name: 'demo',
  namespace: 'lab',
  body: { spec: { audiences: ['api'], expirationSeconds: 600 } },
})
const { token, expirationTimestamp } = requested.status
const review = async (reviewed, audiences) => {
  const { status } = await authentication.createTokenReview({
    body: { spec: { token: reviewed, audiences } },
  })
  return status
}
const good = await review(token, ['api'])
const other = await review(token, ['other'])
const short = await core
  .createNamespacedServiceAccountToken({
    name: 'demo',
    namespace: 'lab',
    body: { spec: { audiences: [], expirationSeconds: 5 } },
  })
  .catch(error => error)
const foreign = await configOf('nonsense')
  .makeApiClient(CoreV1Api)
  .listNamespace()
  .catch(error => error)
const made = await core.createNamespacedServiceAccount({
  namespace: 'lab',
  body: { metadata: { name: 'made' } },
})
const accounts = await core.listNamespacedServiceAccount({ namespace: 'lab' })
await core.deleteNamespacedServiceAccount({ name: 'made', namespace: 'lab' })
console.log(
  JSON.stringify({
    kind: requested.kind,
    seconds: Math.round((expirationTimestamp - requested.metadata.creationTimestamp) / 1000),
    good: [good.authenticated, good.user.username, good.audiences],
    other: [other.authenticated ?? null, other.error],
    short: [short.code, JSON.parse(short.body).reason],
    foreign: foreign.code,
    made: made.metadata.name,
    accounts: accounts.items.map(each => each.metadata.name),
  }),
)
