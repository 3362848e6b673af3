import { items, lines, type Place } from './teacher/reader.js'

/** Quiet, with the CA of the lab. `$LAB` and `$CA` are set where a solution runs. */
const CURL = 'curl -s --cacert "$CA"'

/** By the names of the clients. */
const SECRETS: Readonly<Record<string, string>> = {
  demo: 'demo-secret-0123456789abcdef0123456789',
  'demo-service': 'demo-service-secret-0123456789abcdef01',
}

/** Puts the address of the answer into `$location`, and its code into `$code`. Nobody listens at the loopback address. */
function login(client = '', user = '', password = '', query = ''): string[] {
  const callback = 'http%3A%2F%2F127.0.0.1%2Fcallback'
  return [
    `jar=$(mktemp); url="$LAB/authorization?response_type=code&client_id=${client}&redirect_uri=${callback}${query}"`,
    `csrf=$(${CURL} -c "$jar" "$url" | sed -n 's/.*name="csrf" value="\\([^"]*\\)".*/\\1/p')`,
    `location=$(${CURL} -b "$jar" -o /dev/null -w '%{redirect_url}' \\`,
    `  -d username=${user} -d password=${password} --data-urlencode "csrf=$csrf" "$url")`,
    `code=$(printf '%s' "$location" | sed 's/.*[?&]code=\\([^&]*\\).*/\\1/')`,
  ]
}

/** Redeems `$code`, for a client or for `client:secret`. */
function redeem(client = '', ...more: readonly string[]): [string, string] {
  const credentials = Object.hasOwn(SECRETS, client) ? `${client}:${SECRETS[client]}` : client
  const options = ['http://127.0.0.1/callback', ...more].join(' ')
  return [
    `${CURL} -u ${credentials} -d grant_type=authorization_code -d "code=$code" \\`,
    `  -d redirect_uri=${options} "$LAB/token"`,
  ]
}

/** Redeems `$code` and puts the access token into `$token`. */
function token(client?: string, ...more: readonly string[]): string[] {
  const [first, second] = redeem(client, ...more)
  return [
    `answer=$(${first}`,
    `${second})`,
    `token=$(printf '%s' "$answer" | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
  ]
}

/** Pieces of solutions: `@login CLIENT USER PASSWORD [QUERY]`, `@redeem CLIENT [OPTIONS]`, `@token CLIENT [OPTIONS]`. */
const PIECES: Readonly<Record<string, (...words: readonly string[]) => readonly string[]>> = {
  '@login': login,
  '@redeem': redeem,
  '@token': token,
}

/** Writes out the pieces in the lines of a shell. */
export const shellLines = (place: Place): string[] =>
  (Array.isArray(place.value) ? items(place).map(({ value }) => String(value)) : lines(place)).flatMap(
    line => {
      const [name = '', ...words] = line.split(' ')
      return Object.hasOwn(PIECES, name) ? (PIECES[name]?.(...words) ?? []) : [line]
    },
  )
