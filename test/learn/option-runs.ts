import type { StageName } from '../../src/servers/authorization-server/stages/stages.js'

/** A run that shows why an answer of a prediction is wrong, where no task of its lesson does. */
export interface OptionRun {
  /** The number of the lesson. */
  readonly lesson: number
  /** The beginning of the answer. */
  readonly option: string
  /** The stage of the lab; left out: the last one. */
  readonly stage?: StageName
  /** The client whose events count; left out: the client `course`. */
  readonly client?: string
  /** Lines of a shell, as in the solutions of a lesson. */
  readonly lines: string
  /** A check of a lesson, for what the servers have seen. */
  readonly check: object
}

const COURSE = 'course:course-secret-0123456789abcdef0123456'

/** A bearer token that somebody else shows: no secret, no session, and another address than that of its client. */
const FOREIGN_BEARER = {
  lines: `token=$(oauth-lab flow code --client course --user alice -o token)
    curl -s --interface 127.0.0.9 --cacert "$CA" -H "Authorization: Bearer $token" "$RESOURCE/records"`,
  check: {
    in_order: [
      { seen: 'resource.accepted', where: { path: { begins: '/resource' } }, why: 'no token' },
      { seen: 'resource.accepted', where: { path: '/records', scheme: 'Bearer' }, why: 'not accepted' },
    ],
  },
}

export const OPTION_RUNS: readonly OptionRun[] = [
  { lesson: 11, option: 'It is refused: the token is bound to the client', ...FOREIGN_BEARER },
  { lesson: 20, option: 'The secret of the app', ...FOREIGN_BEARER },
  { lesson: 21, option: 'It is refused, as every token from another computer', ...FOREIGN_BEARER },
  {
    lesson: 13,
    option: 'It is refused, because {user} has to log in again.',
    lines: `jar=$(mktemp)
      url="$LAB/authorization?response_type=code&client_id=course&redirect_uri=http%3A%2F%2F127.0.0.1%2Fcallback"
      csrf=$(curl -s --cacert "$CA" -c "$jar" "$url" | sed -n 's/.*name="csrf" value="\\([^"]*\\)".*/\\1/p')
      location=$(curl -s --cacert "$CA" -b "$jar" -c "$jar" -o /dev/null -w '%{redirect_url}' \\
        -d username=alice -d password=wonderland --data-urlencode "csrf=$csrf" "$url")
      code=$(printf '%s' "$location" | sed 's/.*[?&]code=\\([^&]*\\).*/\\1/')
      token=$(curl -s --cacert "$CA" -u ${COURSE} -d grant_type=authorization_code -d "code=$code" \\
        -d redirect_uri=http://127.0.0.1/callback "$LAB/token" | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
      curl -s --cacert "$CA" -u ${COURSE} -d "token=$token" "$LAB/revocation"
      curl -s --cacert "$CA" -b "$jar" "$url&prompt=none"`,
    check: {
      in_order: [
        { seen: 'token.revoked', why: 'not revoked' },
        { seen: 'session.resumed', why: 'the session has ended' },
        { seen: 'code.issued', why: 'no code without a login' },
      ],
    },
  },
  {
    lesson: 14,
    option: 'That of the person whom the access token is about.',
    client: 'demo-native',
    lines: `token=$(oauth-lab flow code --client demo-native --user alice --scope openid -o token)
      curl -s --cacert "$CA" -H "Authorization: Bearer $token" "$LAB/userinfo"`,
    // Alice did not log in at the client of the lesson, and the token answers with her name.
    check: {
      seen: 'userinfo.answered',
      where: { client_id: 'demo-native', username: 'alice' },
      why: 'no answer',
    },
  },
  {
    lesson: 25,
    option: 'Each of the four. It does no harm, because a token is encrypted',
    stage: 'shared-secret',
    lines: `claims=$(oauth-lab flow code --client course --user alice -o token | cut -d. -f2 | tr _- /+ | base64 -d 2>/dev/null)
      jti=$(printf '%s' "$claims" | sed 's/.*"jti":"\\([^"]*\\)".*/\\1/')
      oauth-lab learn check --answer "$jti"`,
    check: {
      answer_in: { seen: 'token.issued', member: 'jti' },
      why: 'no answer',
      otherwise: 'not readable',
    },
  },
  {
    lesson: 28,
    option: 'It sends a token that it has for another server',
    lines: `token=$(oauth-lab flow code --client course --user alice -o token)
      curl -s --cacert "$CA" -H "Authorization: Bearer $token" -H 'Content-Type: application/json' \\
        -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' "$RESOURCE/mcp"`,
    check: {
      seen: 'resource.refused',
      where: { path: '/mcp', rule: 'RFC 7519 §4.1.3' },
      anyone: true,
      why: 'not refused',
    },
  },
]

/** Answers that no run of a lab shows, and why. */
export const NOT_SHOWN = [
  {
    lesson: 14,
    option: 'That of the e-mail address in the ID token.',
    why: 'Which account an e-mail address opens is decided inside a client; the lab sees the same requests either way.',
  },
] as const
