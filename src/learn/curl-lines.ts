/** Curl lines of solutions: `$LAB`, `$RESOURCE` and `$CLUSTER` are base URLs of the lab, `$CA` is the path of its CA file. */

/** A request of curl to the lab: quiet, with its CA. */
export const CURL = 'curl -s --cacert "$CA"'

/** The parts of an authorization request. */
export interface AuthorizeLines {
  readonly client: string
  readonly user: string
  readonly password: string
  /** Further parameters of the query, encoded: `&scope=openid`. */
  readonly more?: string
}

/** The parameters of the requests. The answer to a loopback address ends in `$location`, where nobody listens. */
const CALLBACK = 'http%3A%2F%2F127.0.0.1%2Fcallback'

/** Lines that log a user in and put the address of the answer into `$location`, and its code into `$code`. */
export function authorizeLines({ client, user, password, more = '' }: AuthorizeLines): string[] {
  return [
    `jar=$(mktemp); url="$LAB/authorization?response_type=code&client_id=${client}&redirect_uri=${CALLBACK}${more}"`,
    `csrf=$(${CURL} -c "$jar" "$url" | sed -n 's/.*name="csrf" value="\\([^"]*\\)".*/\\1/p')`,
    `location=$(${CURL} -b "$jar" -o /dev/null -w '%{redirect_url}' \\`,
    `  -d username=${user} -d password=${password} --data-urlencode "csrf=$csrf" "$url")`,
    `code=$(printf '%s' "$location" | sed 's/.*[?&]code=\\([^&]*\\).*/\\1/')`,
  ]
}

/** Lines that redeem `$code`. @param credentials `client:secret` */
export function redeemLines(credentials: string, more = ''): string[] {
  return [
    `${CURL} -u ${credentials} -d grant_type=authorization_code -d "code=$code" \\`,
    `  -d redirect_uri=http://127.0.0.1/callback${more} "$LAB/token"`,
  ]
}

/** The client `demo` of the built-in lab with its secret. */
export const DEMO = 'demo:demo-secret-0123456789abcdef0123456789'

/** The client `demo-service` with its secret. */
export const SERVICE = 'demo-service:demo-service-secret-0123456789abcdef01'

/** alice, who logs in for `demo`. */
export const ALICE: AuthorizeLines = { client: 'demo', user: 'alice', password: 'wonderland' }

/** Lines that redeem `$code` and put the access token into `$token`. */
export function tokenLines(credentials: string, more = ''): string[] {
  const [first = '', ...rest] = redeemLines(credentials, more)
  return [
    `answer=$(${first}`,
    ...rest.map(line => `${line})`),
    `token=$(printf '%s' "$answer" | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
  ]
}

/** The line that shows `$token` to the resource server. */
export const callResource = `${CURL} -H "Authorization: Bearer $token" "$RESOURCE/resource"`

/** The resource server of the lab: `$RESOURCE`, or its usual address where a learner has not set that. */
export const RESOURCE = `"\${RESOURCE:-https://localhost:8444}"`

/** The addresses of the lab, for solutions in which lines of curl stand beside those of oauth-lab. */
export const HERE = `LAB={lab} CA=$(oauth-lab ca path) RESOURCE=${RESOURCE}`
