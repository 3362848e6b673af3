import { EXIT } from './exit.js'

/** Environment variables by purpose. A flag beats the environment, and the environment the lab file. */
export const ENVIRONMENT: ReadonlyArray<{
  readonly about: string
  readonly variables: ReadonlyArray<readonly [name: string, meaning: string]>
}> = [
  {
    about: 'Of oauth-lab',
    variables: [
      [
        'OAUTH_LAB_HOME',
        'the state folder: CA, keys, running labs (default: oauth-lab in the user’s data folder)',
      ],
      ['OAUTH_LAB_CONFIG', 'the lab file, as --config'],
      ['OAUTH_LAB_SERVER', 'the running lab to use, as --server'],
      ['OAUTH_LAB_CACERT', 'a CA to trust, as --cacert'],
      ['OAUTH_LAB_TIMEOUT', 'the longest network wait, as --timeout'],
      ['OAUTH_LAB_CLIENT_SECRET', 'the secret of --client-id at another server'],
      ['OAUTH_LAB_WEBHOOK', 'the URL of the chat webhook that cf events posts to'],
      ['OAUTH_LAB_LESSONS', 'the folder of lessons of a teacher, as learn --lessons'],
      ['OAUTH_LAB_LEARNER', 'the learner whose progress is kept, as learn --learner'],
      ['OAUTH_LAB_RECORD', 'set by record for the program that it starts'],
      ['OAUTH_LAB_DEBUG', '1 prints the stack of a bug'],
      ['ENABLE_COMPRESSION', 'not empty: serve compresses, as --compression'],
    ],
  },
  {
    about: 'Of terminals',
    variables: [
      ['NO_COLOR', 'not empty: no colours'],
      ['FORCE_COLOR', '0 to 3: how many colours'],
      ['CI', 'not empty: no screens, lines instead'],
      ['TERM', 'dumb: no screens'],
      ['LC_ALL, LC_CTYPE, LANG', 'the encoding of the terminal; without UTF-8, ASCII signs are drawn'],
      ['INK_SCREEN_READER', 'true: sentences instead of drawings'],
      ['WT_SESSION, WSL_DISTRO_NAME', 'what kind of Windows terminal it is'],
      ['SSH_CONNECTION, SSH_TTY', 'set on a remote terminal: no browser is opened'],
      ['BROWSER', 'the browser that --browser opens'],
    ],
  },
  {
    about: 'Of the system',
    variables: [
      ['HOME, XDG_DATA_HOME, LOCALAPPDATA', 'where the user’s data folder is'],
      ['PATH, SystemRoot', 'where the tools of ca install are'],
      ['SHELL', 'the shell that runs the lines of a lesson'],
      ['NODE_EXTRA_CA_CERTS', 'a file of further CAs to trust'],
      ['HTTPS_PROXY, HTTP_PROXY, NO_PROXY', 'proxies for requests, and hosts without one'],
      ['NODE_ENV', 'production, unless it is set'],
      ['NODE_OPTIONS', 'kept for the program of record, with one option more'],
      ['ProgramFiles', 'where the browser of record is on Windows'],
    ],
  },
  {
    about: 'Of other programs, read by k8s and cf',
    variables: [
      ['KUBECONFIG', 'kubeconfig files, as kubectl reads it'],
      ['KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT', 'the API server, seen from inside a pod'],
      ['KUBERNETES_EXEC_INFO', 'the version that kubectl wants an ExecCredential in'],
      ['CLOUDFLARE_API_TOKEN', 'a token for cf'],
      ['CLOUDFLARE_API_KEY, CLOUDFLARE_EMAIL', 'a key for cf, and its owner'],
      ['CLOUDFLARE_ZONE_ID', 'the zone, as --zone'],
      ['CLOUDFLARE_BASE_URL', 'the service, as --api-url'],
    ],
  },
]

/** `oauth-lab help environment`. */
export function environmentTopic(): string[] {
  return [
    'A flag beats the environment, the environment the lab file.',
    ...ENVIRONMENT.flatMap(({ about, variables }) => [
      '',
      `${about}:`,
      ...variables.flatMap(([name, meaning]) => [`  ${name}`, `      ${meaning}`]),
    ]),
  ]
}

/** `oauth-lab help events`. */
export async function eventsTopic(): Promise<string[]> {
  const [{ EVENTS }, { LINE_MEANINGS }] = await Promise.all([
    import('../../protocol/event-catalogue.js'),
    import('../output/json-lines.js'),
  ])
  const names = Object.keys({ ...EVENTS, ...LINE_MEANINGS })
  const columns = Math.max(...names.map(name => name.length)) + 2
  const row = (name: string, meaning: string): string => `  ${name.padEnd(columns)}${meaning}`
  return [
    'What happens on a lab: a line each with serve --plain, a JSON object each with serve --json, and an object each in lab.events of the library. In the JSON, type comes first; at is the lab’s clock. Codes and tokens are cut in the middle, and secrets are in none.',
    '',
    ...Object.entries(EVENTS).map(([name, [meaning]]) => row(name, meaning)),
    '',
    'Lines of --json that are of one command, and no event of a lab:',
    '',
    ...Object.entries(LINE_MEANINGS).map(([name, meaning]) => row(name, meaning)),
    '',
    'Their members:  docs/reference/events.md in the package',
  ]
}

/** The meaning of each exit code. */
const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, readonly [what: string, example: string]>> = {
  done: ['done', 'tokens were granted, a file was written, a wrong move was refused as it should be'],
  refused: [
    'refused: a result, with the rule that was broken',
    'invalid_grant, a wrong audience, a token that does not verify, a failed lint',
  ],
  usage: [
    'usage: something was typed wrong, with the nearest right word',
    'an unknown client, a bad option, a broken lab file',
  ],
  transport: ['transport: there was no answer', 'a refused connection, a foreign certificate, a busy port'],
  bug: [
    'a bug of oauth-lab',
    'one line, and the path of a report with the stack; OAUTH_LAB_DEBUG=1 prints it',
  ],
  timeout: ['a wait was longer than --timeout', '--timeout 2m waits longer'],
  interrupted: ['interrupted by SIGINT', 'Ctrl-C'],
  terminated: ['ended by SIGTERM', 'kill, docker stop'],
}

/** The codes in their order, each with its name. */
export const exitCodes = (Object.entries(EXIT) as [keyof typeof EXIT, number][]).map(([name, code]) => ({
  code,
  what: EXIT_MEANINGS[name][0],
  example: EXIT_MEANINGS[name][1],
}))

/** `oauth-lab help exit-codes`. */
export function exitCodesTopic(): string[] {
  return [
    'Every command ends with one of these.',
    '',
    ...exitCodes.flatMap(({ code, what, example }) => [
      `  ${String(code).padStart(3)}  ${what}`,
      `       ${example}`,
    ]),
  ]
}

/** `oauth-lab help profiles`. */
export async function profilesTopic(): Promise<string[]> {
  const [{ REFERENCE_DIFFERENCES }, { shortDifferenceLines }] = await Promise.all([
    import('../../servers/authorization-server/reference/differences.js'),
    import('../../show/render/doctor/difference-lines.js'),
  ])
  return [
    'Which rules the authorization server keeps: oauth-lab serve --profile NAME, or `profile` in the lab file.',
    '',
    'standard (the default)',
    '  the RFCs win wherever the reference departs from them',
    '',
    'reference',
    '  the reference behaviour to the letter, to see what is wrong with it; on this machine only',
    '',
    'oauth21',
    '  OAuth 2.1 (a draft): no implicit and no password grant, PKCE for every client, exact redirect addresses',
    '',
    'fapi2',
    '  the FAPI 2.0 Security Profile: pushed requests, bound tokens, clients that sign or show certificates',
    '',
    'oauth-lab serve --profile fapi2 --explain lists the demands with their clauses. A client of the lab file may',
    'have `profile` too.',
    '',
    'What the reference does, and what is wrong with it:',
    ...shortDifferenceLines(REFERENCE_DIFFERENCES),
  ]
}

/** `oauth-lab help stages`. */
export async function stagesTopic(): Promise<string[]> {
  const [{ STAGE_NAMES, STAGES }, { shortDifferenceLines }] = await Promise.all([
    import('../../servers/authorization-server/stages/stages.js'),
    import('../../show/render/doctor/difference-lines.js'),
  ])
  return [
    'How far the authorization server is built, in the order in which such a server is built.',
    'Chosen with oauth-lab serve --stage NAME, or stage in the lab file.',
    ...STAGE_NAMES.flatMap(name => {
      const lines = shortDifferenceLines(STAGES[name].differences)
      return ['', name, ...(lines.length === 0 ? ['  the complete server: it leaves nothing out'] : lines)]
    }),
    '',
    'The same beside the complete server:  oauth-lab serve --stage shared-secret --explain',
  ]
}
