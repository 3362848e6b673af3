import { Argument, Command, Option } from 'commander'
import { PROXY_MODES } from '../compression/proxy/modes.js'
import { UsageError } from '../errors.js'
import { nearest } from '../lab/nearest.js'
import { studyCommands } from './compress/study-commands.js'
import { readGlobals, withGlobals } from './globals.js'
import { portOption } from './listen-options.js'

/** Flags of `compress get`. */
export interface GetFlags {
  readonly offer?: string
  /** One row for each offer that tells something. */
  readonly offers?: 'all'
  readonly hex?: true
  readonly 'http1.0'?: true
  readonly head?: true
}

/** Flags of `compress proxy`. */
export interface ProxyFlags {
  readonly mode: (typeof PROXY_MODES)[number]
  readonly upstream?: string
  readonly port: number
  readonly nginxConf?: true
}

const examples = `
Examples:
  oauth-lab compress                                          the lab: A to E, hop by hop
  oauth-lab compress get /kb/200 --offer gzip --hex
  oauth-lab compress get https://localhost:8443/kb/2 --offer 'br;q=1, gzip;q=0.5'
  oauth-lab compress get /kb/2 --offers all
  oauth-lab compress table --kb 1,2,200
  oauth-lab compress explain 'gzip;q=0, *'
  oauth-lab compress proxy --mode force-gunzip
  oauth-lab compress proxy --mode ingress --nginx-conf
  oauth-lab compress gateway
  oauth-lab compress lint https://localhost:8443/kb/200
  oauth-lab compress budget page.html
`

const getExamples = `
Examples:
  oauth-lab compress get /kb/200 --offer gzip --hex
  oauth-lab compress get /kb/2 --offers all
  oauth-lab compress get https://localhost:8443/kb/2 --offer 'br;q=1, gzip;q=0.5'
`

const explainExamples = `
Examples:
  oauth-lab compress explain 'gzip, deflate, br'
  oauth-lab compress explain 'gzip;q=0, *'
  oauth-lab compress explain gzip 'br;q=0.5' --json
`

const proxyHelp = `
In a pipe, a line on stdin switches the mode while it runs: force-gunzip

Examples:
  oauth-lab compress proxy --mode force-gunzip
  oauth-lab compress proxy --upstream https://example.com --mode gzip --port 9443
  oauth-lab compress proxy --mode ingress --nginx-conf > nginx.conf
`

function getCommand(): Command {
  return withGlobals(new Command('get'))
    .description('ask once and count every byte: body, coded body, framing, headers, TLS')
    .argument('<path|url>', 'a path of the lab, such as /kb/200, or an address')
    .option('--offer <value>', 'the value of Accept-Encoding; left out: none is sent')
    .addOption(
      new Option('--offers <which>', 'ask once for each offer that differs somewhere')
        .choices(['all'])
        .conflicts(['offer', 'hex']),
    )
    .option('--hex', 'show the coded bytes, the gzip header explained')
    .option('--head', 'ask with HEAD')
    .option('--http1.0', 'ask in HTTP/1.0')
    .addHelpText('after', getExamples)
    .action(async (target: string, flags: GetFlags, command: Command) => {
      const { runGet } = await import('./compress/get.js')
      await runGet(target, flags, readGlobals(command))
    })
}

function explainCommand(): Command {
  return withGlobals(new Command('explain'))
    .description('what an Accept-Encoding value asks for, what wins and why, and what other servers would do')
    .addArgument(
      new Argument('<value>', 'the value of the field; repeat it as the field may be').argRequired(),
    )
    .argument('[more...]')
    .addHelpText('after', explainExamples)
    .action(async (value: string, more: string[], _flags: unknown, command: Command) => {
      const { runExplain } = await import('./compress/explain.js')
      runExplain([value, ...more], readGlobals(command))
    })
}

function proxyCommand(): Command {
  return withGlobals(new Command('proxy'))
    .description('a reverse proxy in front of the lab, or of any server, that treats codings as nginx does')
    .addOption(
      new Option('--mode <mode>', 'what the proxy does about codings')
        .choices(PROXY_MODES)
        .default('default'),
    )
    .option('--upstream <url>', 'what stands behind it (default: the lab)')
    .addOption(portOption('--port <port>', 'HTTPS port, 0 for a free one').default(8447))
    .option('--nginx-conf', 'print the equal nginx configuration, and exit')
    .addHelpText('after', proxyHelp)
    .action(async (flags: ProxyFlags, command: Command) => {
      const { runProxy } = await import('./compress/proxy.js')
      await runProxy(flags, readGlobals(command))
    })
}

/** Without a subcommand: the lab. */
async function lab(flags: { readonly plain?: true }, command: Command): Promise<void> {
  const [unknown] = command.args
  if (unknown !== undefined) {
    const near = nearest(
      unknown,
      command.commands.map(each => each.name()),
    )
    const hints = near === undefined ? [] : [`Did you mean ${near}?`]
    throw new UsageError(`unknown command '${unknown}'`, [...hints, 'See:  oauth-lab compress --help'])
  }
  const { runLab } = await import('./compress/lab.js')
  process.exitCode = await runLab(flags, readGlobals(command))
}

/** `oauth-lab compress`: content codings, byte by byte and hop by hop. */
export function compressCommand(): Command {
  const compress = withGlobals(new Command('compress'))
    .description(
      'content codings: what is asked for, what comes, and what proxies make of it; alone it measures five ways past a proxy',
    )
    .option('--plain', 'the five ways as lines, on a terminal too')
    .allowExcessArguments()
    .addHelpText('after', examples)
    .action(lab)
  for (const command of [getCommand(), explainCommand(), proxyCommand(), ...studyCommands()]) {
    compress.addCommand(command)
  }
  return compress
}
