// Requests: the token endpoint, the code flow and the resource server of the lab beside bare node:https and
// oidc-provider, and the token endpoint while people log in whose passwords are hashed. Rounds are interleaved, each ratio is of one round.
import { randomBytes, scryptSync } from 'node:crypto'
import {
  accessToken,
  during,
  labCodeFlow,
  load,
  loggedIn,
  oidcProviderCodeFlow,
  plainRequests,
  record,
  refreshRequest,
  resourceRequest,
  tokenRequest,
} from './load.js'
import { pinLoad, Servers, service } from './server.js'
import { printTable, spread } from './statistics.js'

const CONNECTIONS = 8
const LOGINS = 50
const WARM_UP = 2

/** Measures in turn, round by round; the first rounds only warm up. */
async function inRounds(rounds, measures) {
  const results = []
  for (let i = -WARM_UP; i < rounds; i++) {
    const round = {}
    for (const [name, measure] of Object.entries(measures)) round[name] = await measure()
    if (i >= 0) results.push(round)
  }
  return results
}

function hashed(password) {
  const salt = randomBytes(16)
  const hash = scryptSync(password, salt, 32, { N: 16384, r: 8, p: 1 })
  return ['scrypt', 16384, 8, 1, salt.toString('base64'), hash.toString('base64')].join('$')
}

/** The p99 of the token endpoint while 50 logins run that each cost a hash. */
async function whileLoggingIn(server, ca) {
  let left = LOGINS
  const logins = load(server, {
    ca,
    connections: 10,
    job: connection => labCodeFlow(connection, { username: 'hashed', password: 'correct horse' }),
    goesOn: () => left-- > 0,
  })
  let over = false
  const done = logins.finally(() => {
    over = true
  })
  const tokens = await load(server, { ca, connections: 2, job: tokenRequest, goesOn: () => !over })
  await done
  return tokens
}

export async function measureSpeed({ rounds, seconds }) {
  const servers = new Servers()
  try {
    const pinned = pinLoad()
    const rs256 = await servers.lab({ resource: { audiences: [service.client_id] } })
    const hs256 = await servers.lab({}, ['--stage', 'shared-secret'])
    const users = [{ username: 'hashed', password_hash: hashed('correct horse') }]
    const hashing = await servers.lab({ users })
    const { ca } = servers
    const logins = await loggedIn(rs256, ca, CONNECTIONS)
    const plain = plainRequests(logins[0].access_token)
    const answers = await record(rs256, ca, plain)
    const bare = await servers.bare(answers)
    const bareJose = await servers.bare(answers, 'jose')
    const oidc = await servers.oidcProvider()
    const mock = await servers.oauth2MockServer()
    const run = (server, job, connections = CONNECTIONS) =>
      load(server, { ca, connections, job, goesOn: during(seconds * 1000) })

    const tokens = await inRounds(rounds, {
      bare: () => run(bare, tokenRequest),
      bareJose: () => run(bareJose, tokenRequest),
      rs256: () => run(rs256, tokenRequest),
      hs256: () => run(hs256, tokenRequest),
      oidc: () => run(oidc, tokenRequest),
      mock: () => run(mock, tokenRequest),
    })
    const flows = await inRounds(rounds, {
      bare: () => run(bare, labCodeFlow),
      bareJose: () => run(bareJose, labCodeFlow),
      lab: () => run(rs256, labCodeFlow),
      oidc: () => run(oidc, oidcProviderCodeFlow),
    })
    const tokensOf = server =>
      server === bare ? logins.map(() => 'a token') : logins.map(each => each.refresh_token)
    const both = job => ({ bare: () => run(bare, job(bare)), lab: () => run(rs256, job(rs256)) })
    const others = new Map()
    const refreshes = new Map([bare, rs256].map(server => [server, refreshRequest(tokensOf(server))]))
    others.set(
      'refresh',
      await inRounds(
        rounds,
        both(server => refreshes.get(server)),
      ),
    )
    for (const { name, job } of plain)
      others.set(
        name,
        await inRounds(
          rounds,
          both(() => job),
        ),
      )
    const show = resourceRequest(await accessToken(rs256, ca))
    const resourceServer = { ...rs256, url: rs256.resourceUrl }
    const resources = await inRounds(rounds, {
      bare: () => run(bare, show),
      lab: () => run(resourceServer, show),
    })
    const busyLogins = await inRounds(Math.ceil(rounds / 2), {
      alone: () => run(hashing, tokenRequest, 2),
      busy: () => whileLoggingIn(hashing, ca),
    })
    console.log(`${rounds} interleaved rounds, ${pinned}`)
    /** A ratio of `part` to `whole`, of all rounds. */
    const row = (name, measured, what, part, whole, aim = '') => [
      name,
      ...spread(measured.map(round => round[part][what] / round[whole][what])),
      aim,
    ]
    const least = 'bare node:https + one signature'
    const bareGet = 'bare node:https without signature'
    const rows = [
      row(`token RS256: CPU, of ${least}`, tokens, 'cpu', 'rs256', 'bare', '<= 1.10'),
      row(`token RS256: rate, of ${least}`, tokens, 'rate', 'rs256', 'bare', '>= 0.92'),
      row(`token RS256: p99, of ${least}`, tokens, 'p99', 'rs256', 'bare', '<= 1.60'),
      row('token RS256: rate, of oidc-provider', tokens, 'rate', 'rs256', 'oidc', '>= 1.30'),
      row('token RS256: rate, of oauth2-mock-server', tokens, 'rate', 'rs256', 'mock', '>= 2.00'),
      row(`bare node:https that signs with jose: CPU, of ${least}`, tokens, 'cpu', 'bareJose', 'bare'),
      row(`bare node:https that signs with jose: rate, of ${least}`, tokens, 'rate', 'bareJose', 'bare'),
      row(
        'bare node:https that signs with jose: rate, of oauth2-mock-server',
        tokens,
        'rate',
        'bareJose',
        'mock',
      ),
      row('token shared-secret: CPU, of bare + RSA signature', tokens, 'cpu', 'hs256', 'bare', '<= 0.25'),
      row(
        'code flow: rate, of bare node:https that signs with jose',
        flows,
        'rate',
        'lab',
        'bareJose',
        '>= 0.75',
      ),
      row('code flow: rate, of oidc-provider', flows, 'rate', 'lab', 'oidc', '>= 6.00'),
      row('code flow: CPU, of oidc-provider', flows, 'cpu', 'lab', 'oidc'),
      row(
        'the same three requests of bare node:https: rate, of oidc-provider',
        flows,
        'rate',
        'bare',
        'oidc',
      ),
      row('the same, signed with jose: rate, of oidc-provider', flows, 'rate', 'bareJose', 'oidc'),
      ...[...others].flatMap(([name, measured]) => [
        row(
          `${name}: rate, of a bare server that sends the same bytes`,
          measured,
          'rate',
          'lab',
          'bare',
          '>= 0.80',
        ),
        row(`${name}: CPU, of a bare server that sends the same bytes`, measured, 'cpu', 'lab', 'bare'),
      ]),
      row(`resource server: rate, of ${bareGet}`, resources, 'rate', 'lab', 'bare', '>= 0.40'),
      row(`resource server: CPU, of ${bareGet}`, resources, 'cpu', 'lab', 'bare'),
      row(
        `token p99 during ${LOGINS} hashed logins, of alone`,
        busyLogins,
        'p99',
        'busy',
        'alone',
        '<= 5.00',
      ),
    ]
    printTable(['requests', 'median', 'middle', 'half', 'aim'], rows)
    return rows.map(([name, ratio, , , aim]) => [name, ratio, aim])
  } finally {
    await servers.stop()
  }
}
