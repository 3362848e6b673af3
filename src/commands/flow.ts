import { Command, Option } from 'commander'
import { EXPORT_FORMATS, type ExportFormat } from './export-formats.js'
import { readGlobals, withGlobals } from './globals.js'

/** Flags of a flow. */
export interface FlowFlags {
  readonly client: string
  readonly user?: string
  readonly passwordStdin?: true
  readonly scope?: string
  readonly redirectUri?: string
  readonly pkce: boolean
  readonly browser: boolean
  /** Whether to open the browser, and not only to print its address. */
  readonly open: boolean
  readonly plain?: true
  readonly screenReader?: true
  readonly export?: ExportFormat
  readonly output?: string
  /** Whether `--timeout` was given, and so holds for the person in the browser too. */
  readonly patient: boolean
}

const examples = `
Examples:
  oauth-lab flow code --client demo
  oauth-lab flow code --client demo --user alice --scope 'openid profile' --json | jq -s .
  oauth-lab flow code --client demo-spa --browser
  oauth-lab flow code --client demo --user alice:wrong       see a login refused
  oauth-lab flow code --client demo --export curl -o replay.sh
`

const groupExamples = `
Examples:
  oauth-lab flow code --client demo
  oauth-lab flow code --help                                 all options of a flow
`

/** Scope tokens, repeated, with spaces or with commas between. */
function scopes(text: string, before = ''): string {
  const tokens = `${before} ${text}`.split(/[\s,]+/).filter(token => token !== '')
  return [...new Set(tokens)].join(' ')
}

async function code(flags: Omit<FlowFlags, 'patient'>, command: Command): Promise<void> {
  const globals = readGlobals(command)
  const patient = command.optsWithGlobals().timeout !== undefined || Boolean(process.env.OAUTH_LAB_TIMEOUT)
  const { runCodeFlow } = await import('./flow-run.js')
  const { browser, open } = flags
  process.exitCode = await runCodeFlow({ ...flags, browser: browser || !open, patient }, globals)
}

/** The grants that can be stepped through. */
const flows = [
  { name: 'code', description: 'the authorization code grant (RFC 6749 §4.1)', run: code },
] as const

function flowOptions(command: Command): Command {
  return withGlobals(command)
    .option('--client <name>', 'client of the lab file', 'demo')
    .option('--user <name[:password]>', 'resource owner of the lab file (default: the first one)')
    .option('--password-stdin', 'read the password from the first line of stdin')
    .option('--scope <scope>', 'scope tokens; repeat it, or use spaces or commas', scopes)
    .option('--redirect-uri <uri>', 'where the answer goes (default: a free port of 127.0.0.1)')
    .option('--no-pkce', 'send no code_challenge')
    .option('--browser', 'log in with your own browser', false)
    .option('--no-open', 'print the address for the browser without opening it')
    .addOption(new Option('--headless', 'fill the login form in from here (default)').conflicts('browser'))
    .option('--plain', 'one line a step, to the end')
    .option('--screen-reader', 'sentences, one step for each Enter')
    .addOption(
      new Option('--export <format>', 'write the run in another form, its steps to stderr').choices(
        EXPORT_FORMATS,
      ),
    )
    .option('-o, --output <file>', 'write the result into a file')
}

/** `oauth-lab flow`: a grant, step by step. */
export function flowCommand(): Command {
  const group = new Command('flow')
    .description('step through a grant as its client')
    .addHelpText('after', groupExamples)
  for (const { name, description, run } of flows) {
    group.addCommand(
      flowOptions(new Command(name)).description(description).addHelpText('after', examples).action(run),
    )
  }
  return group
}
