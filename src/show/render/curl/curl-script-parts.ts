import { shellComment, shellWord } from '../../../protocol/safe-output/shell.js'
import type { ServerVariable } from './curl.js'

/** The values that the beginning of a replay script depends on. */
export interface Beginning {
  readonly title: string
  /** Environment variables that have to be set. */
  readonly secrets: readonly string[]
  /** The servers of the run, the authorization server first. */
  readonly servers: readonly ServerVariable[]
  /** Values of environment variables that hold where none is set, such as paths of files. */
  readonly defaults: Readonly<Record<string, string>>
  /** True for a server on this machine. */
  readonly local: boolean
  readonly caPem?: string
}

const meanings: Readonly<Record<string, string>> = {
  OAUTH_CLIENT_SECRET: 'the secret of the client',
  OAUTH_PASSWORD: 'the password of the resource owner',
  OAUTH_OTP: 'a new one-time code of the resource owner; the recorded one was used',
  OAUTH_ATTACKER_PASSWORD: 'the password of the attacker’s own account',
  OAUTH_CLIENT_KEY: 'the file with the private key of the client, PEM or JWK',
  OAUTH_CLIENT_CERT: 'the file with the certificate of the client',
  OAUTH_CLIENT_CERT_KEY: 'the file with the key of that certificate',
  OAUTH_ASSERTION: 'a new assertion of its issuer; the recorded one was used',
  OAUTH_REQUEST: 'a request object that was signed just now; the recorded one was used',
  OAUTH_CLIENT_ASSERTION: 'a client assertion that was signed just now; the recorded one was used',
}

/** Makes a new verifier, as a client would (RFC 7636 §4.1, §4.2). */
export const pkceLines: readonly string[] = [
  "code_verifier=$(openssl rand -base64 32 | tr '+/' '-_' | tr -d '=\\n')",
  `code_challenge=$(printf %s "$code_verifier" | openssl dgst -sha256 -binary | openssl base64 -A | tr '+/' '-_' | tr -d '=')`,
]

/** The secret as Basic carries it: both halves are form-encoded (RFC 6749 §2.3.1). */
export const basicSecretLines = `# In Basic a secret travels form-encoded (RFC 6749, section 2.3.1).
basic_secret=$OAUTH_CLIENT_SECRET
case $OAUTH_CLIENT_SECRET in
  *[!A-Za-z0-9._-]*) basic_secret=$(printf %s "$OAUTH_CLIENT_SECRET" | od -An -v -tx1 | tr -d ' \\n' | sed 's/../%&/g') ;;
esac`

const functions = `fail() {
  printf '%s\\n' "$0: $1" >&2
  exit 1
}

# quoted TEXT: as the configuration of curl writes it.
quoted() {
  printf '%s\\n' "$1" | sed 's/[\\\\"]/\\\\&/g' | awk 'NR > 1 { printf "%s", "\\\\n" } { printf "%s", $0 }'
}

# request STEP STATUS OPTIONS: sends one request and expects the status that was recorded.
# The options go to curl in a file: other users can read a command line, and secrets in it.
request() {
  step=$1 expected=$2
  shift 2
  [ -z "$cacert" ] || set -- --cacert "$cacert" "$@"
  : >"$work/body"
  while [ $# -gt 0 ]; do
    case $1 in
      --head) printf '%s\\n' "$1" && shift ;;
      *) printf '%s "%s"\\n' "$1" "$(quoted "$2")" && shift 2 ;;
    esac
  done >"$work/options"
  answer=$(curl -q -sS --globoff --max-time 60 -D "$work/headers" -o "$work/body" \\
    -w '%{http_code} %{url_effective} %{redirect_url}' -K "$work/options") || fail "$step: no answer"
  status=\${answer%% *} location=\${answer##* } page=\${answer#* }
  page=\${page%% *}
  printf '%s: %s\\n' "$step" "$status" >&2
  [ "$status" = "$expected" ] && return
  tr -cd '\\n\\040-\\176' <"$work/body" | sed 20q >&2
  fail "$step: the answer is $status, it was $expected"
}

# redirect_parameter NAME: from the address that the answer redirects to, percent-encoded as it is there.
redirect_parameter() {
  tr -d '\\r' <"$work/headers" | sed -n 's/^[Ll]ocation: *//p' | tr '?&#' '\\n\\n\\n' | sed -n "s/^$1=//p" | sed 1q
}

# answer_header NAME: a header of the answer, in lower case.
answer_header() {
  tr -d '\\r' <"$work/headers" | awk -v name="$1:" 'tolower($1) == name { print $2; exit }'
}

# hidden_field NAME: from the form in the answer.
hidden_field() {
  { tr '\\r\\n' '  ' <"$work/body" && echo; } | tr '>' '\\n' |
    sed -n "/<[Ii][Nn][Pp][Uu][Tt][^<]* name=\\"$1\\"/s/.* value=\\"\\([^\\"]*\\)\\".*/\\1/p" | sed 1q |
    sed "s/&lt;/</g; s/&gt;/>/g; s/&quot;/\\"/g; s/&#39;/'/g; s/&amp;/\\&/g"
}

# form_action N: the address that form N in the answer is sent to.
form_action() {
  action=$({ tr '\\r\\n' '  ' <"$work/body" && echo; } | tr '>' '\\n' | grep -i '<form ' | sed -n "$1p" |
    sed -n 's/.*<[Ff][Oo][Rr][Mm] .*[Aa][Cc][Tt][Ii][Oo][Nn]="\\([^"]*\\)".*/\\1/p' |
    sed "s/&lt;/</g; s/&gt;/>/g; s/&quot;/\\"/g; s/&#39;/'/g; s/&amp;/\\&/g")
  case $action in
    http://* | https://*) printf %s "$action" ;;
    //*) printf '%s%s' "\${page%%//*}" "$action" ;;
    /*) printf '%s%s' "$(printf %s "$page" | sed 's,^\\([a-z]*://[^/?]*\\).*,\\1,')" "$action" ;;
    '') printf %s "$page" ;;
    '?'*) printf '%s%s' "\${page%%\\?*}" "$action" ;;
    *) printf '%s/%s' "$(printf %s "$page" | sed 's,?.*,,; s,\\([^/]\\)/[^/]*$,\\1,')" "$action" ;;
  esac
}

# json_member NAME: a text from the JSON of the answer.
json_member() {
  { tr -d '\\r\\n' <"$work/body" && echo; } | sed -n "s/.*\\"$1\\" *: *\\"\\([^\\"]*\\)\\".*/\\1/p" | sed 's,\\\\/,/,g'
}`

function caLines({ caPem, local }: Beginning): string[] {
  const certificates = caPem?.match(/-----BEGIN CERTIFICATE-----[\w+/=\s]+-----END CERTIFICATE-----/g)
  if (certificates) {
    return [
      '# The CA of the server; OAUTH_LAB_CACERT names another file.',
      `cat >"$work/ca.pem" <<'END_OF_CA'`,
      ...certificates.map(pem => pem.replaceAll('\r', '')),
      'END_OF_CA',
      `cacert=\${OAUTH_LAB_CACERT:-$work/ca.pem}`,
    ]
  }
  if (!local)
    return ['# Set OAUTH_LAB_CACERT where the server needs a CA of its own.', `cacert=\${OAUTH_LAB_CACERT:-}`]
  return [
    '# The CA of the lab; OAUTH_LAB_CACERT names another file.',
    `cacert=\${OAUTH_LAB_CACERT:-$(oauth-lab ca path 2>/dev/null || :)}`,
  ]
}

/** The beginning of a replay script: what it needs, where it goes, and its few functions. */
export function beginning(of: Beginning): string {
  const { title, secrets, servers, defaults } = of
  return [
    '#!/bin/sh',
    shellComment(`${title}: sends every request again, as oauth-lab recorded it.`),
    '# Values that the server hands out are read from its new answers. The access token goes to stdout.',
    'set -eu',
    'umask 077',
    'export LC_ALL=C',
    ...Object.entries(defaults).flatMap(([name, value]) => [
      '',
      `# ${name} names another file: ${meanings[name] ?? 'that of the run'}.`,
      `[ -n "\${${name}-}" ] || ${name}=${shellWord(value)}`,
    ]),
    ...secrets
      .filter(name => !Object.hasOwn(defaults, name))
      .flatMap(name => ['', `: "\${${name}:?set it to ${meanings[name] ?? 'the value that was masked'}}"`]),
    '',
    ...servers.flatMap(({ origin, variable }) => {
      const name = `OAUTH_${variable.toUpperCase()}`
      return [
        `# Where the run was recorded; ${name} names another address.`,
        `${variable}=\${${name}:-${origin}}`,
        '',
      ]
    }),
    'work=$(mktemp -d)',
    `trap 'rm -rf "$work"' EXIT`,
    `trap 'exit 130' INT`,
    `trap 'exit 143' TERM`,
    ': >"$work/cookies"',
    ...caLines(of),
    '',
    functions,
  ].join('\n')
}
