import { Command, Option } from 'commander'
import { nearestHint } from '../lab/lab-file/nearest.js'
import { UsageError } from '../protocol/errors.js'
import { PROXY_MODES } from '../servers/compression/proxy/modes.js'
import { examples } from './program/examples.js'
import { withGlobals } from './program/globals.js'
import { lazily } from './program/lazily.js'
import { portOption } from './serve/listen-options.js'

/** Makes the parser of an option that takes a whole number. */
const wholeNumber = (option: string, least: number, most: number) => (text: string) => {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new UsageError(`${option} ${JSON.stringify(text)} is not a whole number from ${least} to ${most}`)
}

const PAGE = 'a path of the lab, such as /kb/200, or an address'
const KB_200 = '/kb/200'

/** A subcommand with its options of every command and its examples. */
const subcommand = (name: string, description: string, ...lines: readonly string[]): Command =>
  withGlobals(new Command(name))
    .description(description)
    .addHelpText('after', examples(lines.map(line => `oauth-lab compress ${line}`)))

/** Adds the options of commands that send requests to an address. */
const sending = (command: Command): Command =>
  command
    .option(
      '-H, --header <field>',
      "a header field of each request, such as 'Accept: text/html'; repeatable",
      (field: string, before: readonly string[] = []) => [...before, field],
    )
    .option('--follow', 'follow redirects, 10 at most')

const getCommand = () =>
  subcommand(
    'get',
    'send one request and count every byte: body, coded body, framing, headers, TLS',
    'get /kb/200 --offer gzip --hex',
    'get /kb/2 --offers all',
    "get https://example.com/ --offer br -H 'Accept-Language: de' --follow",
    "get https://localhost:8443/kb/2 --offer 'br;q=1, gzip;q=0.5'",
    'get /kb/200 --dictionary /kb/2',
  )
    .argument('<path|url>', PAGE)
    .option('--offer <value>', 'value of Accept-Encoding; without this option the request has none')
    .addOption(
      new Option('--offers <which>', 'send one request for each offer that differs somewhere')
        .choices(['all'])
        .conflicts(['offer', 'hex', 'dictionary']),
    )
    .option(
      '--dictionary <file|path|url>',
      'offer dcb and dcz with this dictionary (RFC 9842); Node.js 24.21 and later decode them',
    )
    .option('--hex', 'show the coded bytes, with the gzip header explained')
    .option('--head', 'send a HEAD request')
    .option('--http1.0', 'send an HTTP/1.0 request')
    .action(lazily(async () => (await import('./compress/get.js')).runGet))

const explainCommand = () =>
  subcommand(
    'explain',
    'what an Accept-Encoding value means, which coding wins and why, and what other servers would do',
    "explain 'gzip, deflate, br'",
    "explain 'gzip;q=0, *'",
    "explain gzip 'br;q=0.5' --json",
  )
    .argument('<value>', 'value of the field; repeat it for a field that is repeated')
    .argument('[more...]')
    .action(lazily(async () => (await import('./compress/explain.js')).runExplain))

const proxyCommand = () =>
  withGlobals(new Command('proxy'))
    .description('a reverse proxy in front of the lab, or of any server, that treats codings as nginx does')
    .addOption(
      new Option('--mode <mode>', 'how the proxy treats codings').choices(PROXY_MODES).default('default'),
    )
    .option('--upstream <url>', 'the server behind the proxy (default: the lab)')
    .addOption(portOption('--port <port>', 'HTTPS port, 0 for a free one').default(8447))
    .addOption(
      new Option('--upstream-http <version>', 'proxy_http_version: the HTTP version to the upstream').choices(
        ['1.0', '1.1'],
      ),
    )
    .addOption(
      new Option('--gzip-level <number>', 'gzip_comp_level, 1 to 9').argParser(
        wholeNumber('--gzip-level', 1, 9),
      ),
    )
    .addOption(
      new Option('--gzip-min-length <bytes>', 'gzip_min_length').argParser(
        wholeNumber('--gzip-min-length', 0, 1e9),
      ),
    )
    .option('--gzip-types <types>', "gzip_types beside text/html, with commas; 'default' for none")
    .addOption(new Option('--gzip-vary <state>', 'gzip_vary').choices(['on', 'off']))
    .addOption(new Option('--gzip-proxied <whom>', 'gzip_proxied').choices(['any', 'off']))
    .addOption(new Option('--gzip-http-version <version>', 'gzip_http_version').choices(['1.0', '1.1']))
    .option('--nginx-conf', 'print the equal nginx configuration, and exit')
    .addHelpText(
      'after',
      `\nIn a pipe, a line on stdin switches the mode while it runs: force-gunzip\nOptions with gzip change the modes that compress.\nThe gzip of real text is 1 to 4 % shorter than that of nginx, which has another zlib.\n${examples(
        [
          'oauth-lab compress proxy --mode force-gunzip',
          'oauth-lab compress proxy --upstream https://example.com --mode gzip --port 9443',
          'oauth-lab compress proxy --mode gzip --upstream-http 1.0 --gzip-vary on',
          'oauth-lab compress proxy --mode ingress --nginx-conf > nginx.conf',
        ],
      )}`,
    )
    .action(lazily(async () => (await import('./compress/proxy.js')).runProxy))

const tableCommand = () =>
  subcommand(
    'table',
    'a table of offers and sizes: the coding of each answer and the bytes of its body; exit 1 when a rule is broken',
    'table',
    'table --kb 1,64 --offer gzip br',
  )
    .addOption(new Option('--kb <sizes>', 'sizes of /kb/<kb>, in units of 1,024 bytes').default('1,2,200'))
    .option('--offer <value...>', 'values of Accept-Encoding (default: those that differ somewhere)')
    .action(lazily(async () => (await import('./compress/table.js')).runTable))

const gatewayCommand = () =>
  subcommand(
    'gateway',
    'what a graph gateway and other programs offer by default, and what they get',
    'gateway',
    'gateway /.well-known/jwks.json',
  )
    .argument('[path|url]', PAGE, KB_200)
    .action(lazily(async () => (await import('./compress/gateway.js')).runGateway))

const lintCommand = () =>
  subcommand(
    'lint',
    'send the offers of real clients and compare: codings, bodies, Vary, ETag, HEAD, ranges, savings; exit 1 on a fault',
    'lint /kb/200',
    'lint https://example.com/ --follow',
  )
    .argument('<path|url>', PAGE)
    .action(lazily(async () => (await import('./compress/lint.js')).runLint))

const budgetCommand = () =>
  withGlobals(new Command('budget'))
    .description('the size of a body in every codec, and the time each takes')
    .argument('<file|url>', 'a file, - for stdin, an address, or a path of the lab')
    .option(
      '--dictionary <file>',
      'measure with this dictionary too: dcb and dcz (RFC 9842), by Node.js 24.21 and later',
    )
    .addHelpText(
      'after',
      examples([
        'oauth-lab compress budget page.html',
        'oauth-lab compress budget /kb/200',
        'cat page.html | oauth-lab compress budget -',
      ]),
    )
    .action(lazily(async () => (await import('./compress/budget.js')).runBudget))

const breachCommand = () =>
  subcommand(
    'breach',
    'how the length of a compressed page reveals a secret, and how masking prevents that',
    'breach',
    'breach --coding br --json',
  )
    .addOption(
      new Option('--coding <coding>', 'the content coding').choices(['gzip', 'br', 'zstd']).default('gzip'),
    )
    .action(lazily(async () => (await import('./compress/breach.js')).runBreach))

const cacheCommand = () =>
  subcommand(
    'cache',
    'a shared cache with and without Vary, and who gets an answer that cannot be read',
    'cache',
    'cache https://localhost:8443/kb/2',
  )
    .argument('[path|url]', PAGE, KB_200)
    .action(lazily(async () => (await import('./compress/cache.js')).runCache))

/** The action without a subcommand: the lab. */
async function lab(
  flags: { readonly plain?: true; readonly screenReader?: true },
  command: Command,
): Promise<void> {
  const [unknown] = command.args
  if (unknown !== undefined) {
    const names = command.commands.map(each => each.name())
    const hints = [...nearestHint(unknown, names), 'See:  oauth-lab compress --help']
    throw new UsageError(`unknown command '${unknown}'`, hints)
  }
  await (await import('./compress/lab.js')).runLab(flags, command)
}

/** `oauth-lab compress`: content codings, byte by byte and hop by hop. */
export function compressCommand(): Command {
  const compress = withGlobals(new Command('compress'))
    .description(
      'content codings: what clients offer, what servers send, and what proxies make of it; alone it measures five ways past a proxy',
    )
    .option('--plain', 'print the five ways as lines, also on a terminal')
    .option('--screen-reader', 'print sentences; Enter reads the next way, d its details')
    .allowExcessArguments()
    .addHelpText(
      'after',
      examples([
        'oauth-lab compress                                          the lab: A to E, hop by hop',
        'oauth-lab compress get /kb/200 --offer gzip --hex',
        "oauth-lab compress get https://localhost:8443/kb/2 --offer 'br;q=1, gzip;q=0.5'",
        'oauth-lab compress get /kb/2 --offers all',
        'oauth-lab compress table --kb 1,2,200',
        "oauth-lab compress explain 'gzip;q=0, *'",
        'oauth-lab compress proxy --mode force-gunzip',
        'oauth-lab compress proxy --mode ingress --nginx-conf',
        'oauth-lab compress gateway',
        'oauth-lab compress lint https://localhost:8443/kb/200',
        'oauth-lab compress budget page.html',
      ]),
    )
    .action(lab)
  const commands = [
    sending(getCommand()),
    explainCommand(),
    proxyCommand(),
    tableCommand(),
    sending(gatewayCommand()),
    sending(lintCommand()),
    sending(budgetCommand()),
    breachCommand(),
    sending(cacheCommand()),
  ]
  for (const command of commands) compress.addCommand(command)
  return compress
}
