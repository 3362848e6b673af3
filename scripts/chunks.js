/**
 * What goes together: each chunk takes its modules with all they import, less what chunks above it have. A command
 * then loads a chain of few files, since each of them costs, and leaves alone what it does not run.
 */
/** @type {[name: string, modules: string[]][]} */
const groups = [
  // Imported by cli.ts and by the library: without a chunk of its own it would bring a whole lab to `--version`.
  ['version', ['protocol/version']],
  ['help', ['commands/program/root-help']],
  ['decode', ['commands/jose/jwt-decode-quick', 'show/render/tokens/jwt-lines', 'show/render/text/signs']],
  ['text', ['show/render/text/text']],
  ['program', ['commands/program/program', 'commands/program/report-error']],
  [
    'in-use',
    [
      'session/targets/(lab|target)',
      'session/input/input',
      'session/options/table',
      'commands/program/exit',
      'client/(transport|content-coding|transport-errors)',
      // The reader of lessons needs both; they would bring it the whole lab.
      'protocol/rules/rule',
      'servers/authorization-server/stages/stages',
    ],
  ],
  ['verify', ['protocol/tokens/verify']],
  ['cluster', ['commands/k8s/token', 'session/targets/cluster']],
  ['commands', ['commands/serve', 'commands/flow']],
  [
    'lab',
    [
      'lab/lab',
      'lab/lab-file/config',
      'lab/state/running',
      'commands/output/event-output',
      'protocol/oauth/scope',
    ],
  ],
  [
    'sites',
    [
      ...[
        'servers/authorization-server/server',
        'servers/resource-server/server',
        'lab/sites/resource-settings',
        'servers/compression/payload',
      ],
      'lab/sites/built-in-assertion-issuer',
    ],
  ],
  ['flow', ['commands/flow/flow-run', 'session/targets/server', 'session/flow/flow-session']],
  ['tamper', ['judge/tamper/run/(flow-run|mcp-run)']],
  ['exports', ['show/render/exports/export']],
  ['screen', ['show/tui/flow/run']],
]

export const chunkGroups = [
  ...groups.map(([name, modules]) => ({
    name,
    test: new RegExp(`[\\\\/]src[\\\\/](${modules.join('|')})\\.tsx?$`),
  })),
  { name: 'documents', test: /[\\/]content[\\/]rules[\\/]/ },
]
