import type { ListenerName } from '../../src/lab/listening/listeners.js'
import { clientParameters, clientPaths } from './client-words.js'

// The words of requests: real routes, parameters, fields and values, and what an attacker writes instead.

const ZONE = '1ab00000000000000000000000000001'
const ACCOUNT = '1ab0000000000000000000000000000a'
const CALLBACK = 'http://127.0.0.1/callback'
const BASIC = `Basic ${btoa('demo:demo-secret-0123456789abcdef0123456789')}`

/** The words of one site. */
export interface Vocabulary {
  readonly methods: readonly string[]
  /** `*` stands for a random name. */
  readonly paths: readonly string[]
  /** Parameters of queries and forms. */
  readonly parameters: Readonly<Record<string, readonly string[]>>
  readonly authorization: readonly string[]
  readonly types: readonly string[]
  readonly bodies: readonly unknown[]
}

const METHODS = [
  ...['GET', 'GET', 'GET', 'GET', 'POST', 'POST', 'POST', 'POST', 'PUT', 'PUT', 'PATCH', 'PATCH', 'DELETE'],
  ...['HEAD', 'OPTIONS', 'TRACE'],
]
const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

const GRANTS = [
  ...['authorization_code', 'password', 'client_credentials', 'refresh_token'],
  ...['jwt-bearer', 'saml2-bearer', 'token-exchange', 'device_code'].map(
    each => `urn:ietf:params:oauth:grant-type:${each}`,
  ),
]

const authorization: Vocabulary = {
  methods: METHODS,
  paths: [
    ...['/', '/authorization', '/token', '/par', '/introspection', '/revocation', '/userinfo', '/device'],
    ...['/device_authorization', '/end-session', '/kb/2', '/kb/*', '/*', '/.well-known/jwks.json'],
    ...['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'],
  ],
  parameters: {
    response_type: ['code', 'token', 'id_token', 'id_token token', 'code id_token'],
    client_id: ['demo', 'demo-spa', 'demo-public', 'demo-native', 'demo-disabled'],
    client_secret: ['demo-secret-0123456789abcdef0123456789'],
    redirect_uri: [CALLBACK, 'http://localhost:9/callback', 'javascript:1', '//x', 'http://[', 'urn:x'],
    scope: ['openid', 'openid profile email', 'records:read records:write', 'offline_access'],
    state: ['s'],
    nonce: ['n'],
    code: ['SplxlOBeZQQYbYS6WxSbIA'],
    code_challenge: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
    code_challenge_method: ['S256', 'plain'],
    code_verifier: ['dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'],
    grant_type: GRANTS,
    username: ['alice', 'bob'],
    password: ['wonderland'],
    refresh_token: ['x'],
    token: ['x', 'eyJhbGciOiJub25lIn0.e30.'],
    token_type_hint: ['access_token', 'refresh_token'],
    assertion: ['eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJ4In0.AAAA', 'PHNhbWw6QXNzZXJ0aW9uLz4'],
    client_assertion: ['eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJkZW1vIn0.AAAA'],
    client_assertion_type: ['urn:ietf:params:oauth:client-assertion-type:jwt-bearer'],
    subject_token: ['x'],
    subject_token_type: ['urn:ietf:params:oauth:token-type:access_token'],
    request_uri: ['urn:ietf:params:oauth:request_uri:x', 'https://example.com/x'],
    request: ['eyJhbGciOiJub25lIn0.e30.'],
    resource: ['https://localhost:8444', 'x', 'http://['],
    device_code: ['x'],
    user_code: ['BCDF-GHJK'],
    csrf: ['x'],
    prompt: ['none', 'login', 'consent', 'none login'],
    max_age: ['0', '-1', '1e9', '9'.repeat(40)],
    claims: ['{"id_token":{"email":null}}', '{"id_token":', '{"__proto__":{"a":null}}'],
    display: ['page', 'popup'],
    login_hint: ['alice'],
    id_token_hint: ['eyJhbGciOiJub25lIn0.e30.'],
    post_logout_redirect_uri: [CALLBACK],
    response_mode: ['query', 'fragment', 'form_post'],
  },
  authorization: [BASIC, 'Bearer x', 'DPoP x', 'Basic Og==', 'Basic !', 'Bearer eyJhbGciOiJub25lIn0.e30.'],
  types: [FORM, FORM, JSON_TYPE, `${FORM}; charset=utf-16`, 'multipart/form-data; boundary=x'],
  bodies: [{ grant_type: 'client_credentials' }],
}

const resource: Vocabulary = {
  methods: METHODS,
  paths: ['/', '/resource', '/records', '/public', '/.well-known/oauth-protected-resource', '/*'],
  parameters: { access_token: ['x', 'eyJhbGciOiJub25lIn0.e30.'] },
  authorization: [
    ...[
      'Bearer x',
      'DPoP x',
      'MAC id="h480djs93hd8", ts="1336363200", nonce="dj83hs9s", mac="bhCQ"',
      'Basic eDp5',
    ],
    ...[
      'Bearer eyJhbGciOiJub25lIn0.e30.',
      'Bearer eyJhbGciOiJSUzI1NiIsImtpZCI6IngifQ.eyJhdWQiOltdfQ.AA',
      'MAC ,=',
    ],
  ],
  types: [JSON_TYPE, FORM],
  bodies: [{ title: 'a record' }],
}

const meta = { name: 'a-name', namespace: 'default', labels: { a: 'b' }, annotations: { c: 'd' } }
const object = (apiVersion: string, kind: string, more: object): object => ({
  apiVersion,
  kind,
  metadata: meta,
  ...more,
})
const AUTH = 'authentication.k8s.io/v1'
const REVIEW = 'authorization.k8s.io/v1'
const RBAC = 'rbac.authorization.k8s.io/v1'
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' }

const namespaced = ['pods', 'secrets', 'serviceaccounts', 'configmaps', 'events']
const cluster: Vocabulary = {
  methods: METHODS,
  paths: [
    ...['/', '/api', '/apis', '/version', '/healthz', '/openapi/v3', '/openapi/v3/api/v1', '/openid/v1/jwks'],
    ...[
      '/.well-known/openid-configuration',
      '/api/v1',
      '/api/v1/namespaces',
      '/api/v1/namespaces/*',
      '/apis/*/v1',
    ],
    ...namespaced.map(each => `/api/v1/namespaces/default/${each}`),
    ...namespaced.map(each => `/api/v1/namespaces/default/${each}/*`),
    ...namespaced.map(each => `/api/v1/${each}`),
    ...['demo', 'default', '*'].map(each => `/api/v1/namespaces/default/serviceaccounts/${each}/token`),
    `/apis/coordination.k8s.io/v1/namespaces/default/leases/*`,
    ...['roles', 'rolebindings'].map(each => `/apis/${RBAC}/namespaces/default/${each}`),
    ...['clusterroles', 'clusterrolebindings', 'clusterroles/view'].map(each => `/apis/${RBAC}/${each}`),
    ...['tokenreviews', 'selfsubjectreviews'].map(each => `/apis/${AUTH}/${each}`),
    ...['subjectaccessreviews', 'selfsubjectaccessreviews', 'selfsubjectrulesreviews'].map(
      each => `/apis/${REVIEW}/${each}`,
    ),
    `/apis/${REVIEW}/namespaces/default/localsubjectaccessreviews`,
  ],
  parameters: {
    watch: ['true', '1', 'false', 'x'],
    resourceVersion: ['0', '1', '99999999', 'x', '-1'],
    resourceVersionMatch: ['NotOlderThan', 'Exact', 'x'],
    limit: ['1', '0', '-1', '9'.repeat(30)],
    continue: ['x', 'eyJ2IjoxfQ'],
    labelSelector: ['a=b', 'a in (b,c)', '!a', 'a==,', '(((', 'a notin ()'],
    fieldSelector: ['metadata.name=demo', 'spec.nodeName=', 'x'],
    timeoutSeconds: ['1', '0', 'x', '-5'],
    allowWatchBookmarks: ['true', 'x'],
    sendInitialEvents: ['true'],
    fieldManager: ['kubectl', 'x'.repeat(200), 'é'],
    fieldValidation: ['Strict', 'Warn', 'Ignore', 'x'],
    force: ['true', 'x'],
    dryRun: ['All', 'x'],
    pretty: ['true', 'x'],
    gracePeriodSeconds: ['0', 'x'],
    propagationPolicy: ['Foreground', 'x'],
  },
  authorization: [
    ...Array.from({ length: 12 }, () => 'Bearer lab-admin-token'),
    'Bearer x',
    'Bearer eyJhbGciOiJub25lIn0.e30.',
    'Basic eDp5',
  ],
  types: [
    ...Array.from({ length: 8 }, () => JSON_TYPE),
    ...['application/yaml', 'application/yaml', 'application/vnd.kubernetes.protobuf'],
    ...[
      'application/merge-patch+json',
      'application/json-patch+json',
      'application/strategic-merge-patch+json',
    ],
    ...['application/apply-patch+yaml', 'text/plain'],
  ],
  bodies: [
    object('v1', 'ConfigMap', { data: { a: 'b' } }),
    object('v1', 'Secret', { type: 'kubernetes.io/service-account-token', data: { a: 'Yg==' } }),
    object('v1', 'ServiceAccount', {}),
    object('v1', 'Pod', { spec: { containers: [{ name: 'a', image: 'b' }], serviceAccountName: 'demo' } }),
    object('v1', 'Namespace', {}),
    object('v1', 'Event', { reason: 'x', involvedObject: { kind: 'Pod', name: 'a' } }),
    object('coordination.k8s.io/v1', 'Lease', { spec: { holderIdentity: 'a', leaseDurationSeconds: 15 } }),
    object(RBAC, 'Role', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }),
    object(RBAC, 'ClusterRole', { rules: [{ nonResourceURLs: ['/x'], verbs: ['*'] }] }),
    object(RBAC, 'RoleBinding', { roleRef, subjects: [{ kind: 'User', name: 'alice' }] }),
    object(AUTH, 'TokenReview', { spec: { token: 'x', audiences: ['a'] } }),
    object(AUTH, 'TokenRequest', { spec: { audiences: ['vault'], expirationSeconds: 600 } }),
    object(AUTH, 'SelfSubjectReview', {}),
    object(REVIEW, 'SubjectAccessReview', {
      spec: { user: 'a', resourceAttributes: { verb: 'get', resource: 'pods' } },
    }),
    object(REVIEW, 'SelfSubjectAccessReview', {
      spec: { nonResourceAttributes: { verb: 'get', path: '/x' } },
    }),
    object(REVIEW, 'SelfSubjectRulesReview', { spec: { namespace: 'default' } }),
    [
      { op: 'add', path: '/metadata/labels/x', value: 'y' },
      { op: 'test', path: '/a~1b', value: 1 },
    ],
    [
      { op: 'move', from: '/metadata', path: '/metadata/labels' },
      { op: 'copy', from: '/data', path: '/data/-' },
    ],
    { metadata: { labels: { a: null }, finalizers: ['x/y'], resourceVersion: '1' }, data: { a: null } },
    { metadata: { labels: { $patch: 'delete' } }, $setElementOrder: [], $retainKeys: ['a'] },
    { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: 'x' } },
  ],
}

const record = { type: 'A', name: 'www.lab.example', content: '192.0.2.1', ttl: 300, proxied: false }
const GROUPS = `query ($z: [String!], $t: Time!) { viewer { zones(filter: {zoneTag_in: $z}) { zoneTag
  firewallEventsAdaptiveGroups(limit: 5, filter: {datetime_gt: $t}, orderBy: [count_DESC]) { count dimensions { action } } } } }`
const variables = { z: [ZONE], t: '2024-01-01T00:00:00Z' }

const dns: Vocabulary = {
  methods: METHODS,
  paths: [
    ...[
      '/user',
      '/accounts',
      `/accounts/${ACCOUNT}`,
      '/user/tokens/verify',
      '/zones',
      `/zones/${ZONE}`,
      '/zones/*',
      '/graphql',
    ],
    ...['', '/batch', '/export', '/import', '/*', '/scan'].map(each => `/zones/${ZONE}/dns_records${each}`),
    ...[
      '/settings',
      '/settings/ssl',
      '/settings/*',
      '/dnssec',
      '/pagerules',
      '/security/events',
      '/rulesets',
    ].map(each => `/zones/${ZONE}${each}`),
    ...['/*', '/services/T00000000/B00000000/*', '/hooks/*', '/api/webhooks/1/*'],
  ],
  parameters: {
    page: ['1', '0', '-1', '9'.repeat(30), 'x'],
    per_page: ['5', '0', '50000', 'x'],
    order: ['name', 'type', 'x'],
    direction: ['asc', 'desc', 'x'],
    match: ['any', 'all', 'x'],
    type: ['A', 'TXT', 'x'],
    'name.contains': ['lab', '%'],
    'content.startswith': ['192'],
    'comment.present': [''],
    'tag.exact': ['a:b', 'a'],
    since: ['2024-01-01T00:00:00Z', 'x', '-1'],
    until: ['2030-01-01T00:00:00Z', 'x'],
    cursor: ['x', 'eyJ'],
    name: ['lab.example', 'x'.repeat(300)],
  },
  authorization: [
    ...Array.from({ length: 8 }, () => 'Bearer labtoken00000000000000000000000000000001'),
    'Bearer x',
    'Bearer labtoken00000000000000000000000000000001\u00e9',
  ],
  types: [JSON_TYPE, JSON_TYPE, 'multipart/form-data; boundary=x', 'text/plain', FORM],
  bodies: [
    record,
    { ...record, type: 'TXT', content: '"a" "b', comment: 'x'.repeat(200), tags: ['a:b'] },
    { ...record, type: 'MX', priority: 70000 },
    { ...record, type: 'SRV', data: { priority: 1, weight: 2, port: 3, target: 'x.' } },
    { ...record, type: 'CAA', data: { flags: 0, tag: 'issue', value: 'x' } },
    { posts: [record], deletes: [{ id: 'x' }], patches: [{ id: 'x', ttl: 1 }], puts: [record] },
    { value: 'on' },
    { query: GROUPS, variables },
    { query: '{ __schema { types { name fields { name type { name kind ofType { name } } } } } }' },
    {
      query:
        '{ viewer { zones(filter: {zoneTag: "x"}) { firewallEventsAdaptive(limit: 1e9, filter: {OR: [{}]}) { action } } } }',
    },
    { query: `{ a: ${'viewer { '.repeat(40)}`, variables: [] },
    { text: 'hello', blocks: [], attachments: [{ text: 'x' }] },
    '$ORIGIN lab.example.\nwww 300 IN A 192.0.2.1 ; cf_tags=cf-proxied:true\n$INCLUDE x\n( ( \n',
    '--x\r\nContent-Disposition: form-data; name="file"; filename="z"\r\n\r\nwww 300 IN A 192.0.2.1\r\n--x--\r\n',
  ],
}

const client = { ...authorization, paths: clientPaths, parameters: clientParameters }
const http: Vocabulary = { ...authorization, paths: ['/', '/authorization', '/kb/2', '/*'], bodies: [{}] }

/** The words of each site. */
export const VOCABULARIES: Readonly<Record<ListenerName, Vocabulary>> = {
  authorization,
  http,
  resource,
  cluster,
  dns,
  client,
  mtls: { ...authorization, paths: [...authorization.paths, ...resource.paths] },
}
