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
