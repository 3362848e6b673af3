import { option } from '../session/options/option.js'
import { get, proxy, sending } from './compress/options.js'
import { argument, command, examples } from './program/command.js'
import { everywhere } from './program/globals.js'

const help = (...lines: readonly string[]) => examples(lines.map(line => `oauth-lab compress ${line}`))

const PAGE = 'a path of the lab, such as /kb/200, or an address'
const page = argument('<path|url>', PAGE)
const page200 = argument('[path|url]', PAGE, { fallback: '/kb/200' })

/** `oauth-lab compress`: content codings, byte by byte and hop by hop. */
export const compressCommand = command('compress', {
  description:
    'content codings: what clients offer, what servers send, and what proxies make of it; alone it measures five ways past a proxy',
  options: [
    ...everywhere,
    option('--plain', 'print the five ways as lines, also on a terminal'),
    option('--screen-reader', 'print sentences; Enter reads the next way, d its details'),
  ],
  kind: 'alone',
  help: examples([
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
  run: async () => (await import('./compress/lab.js')).runLab,
  below: [
    command('get', {
      description: 'send one request and count every byte: body, coded body, framing, headers, TLS',
      words: [page],
      options: get,
      help: help(
        'get /kb/200 --offer gzip --hex',
        'get /kb/2 --offers all',
        "get https://example.com/ --offer br -H 'Accept-Language: de' --follow",
        "get https://localhost:8443/kb/2 --offer 'br;q=1, gzip;q=0.5'",
        'get /kb/200 --dictionary /kb/2',
      ),
      run: async () => (await import('./compress/studies.js')).runGet,
    }),
    command('explain', {
      description:
        'what an Accept-Encoding value means, which coding wins and why, and what other servers would do',
      words: [
        argument('<value>', 'value of the field; repeat it for a field that is repeated'),
        argument('[more...]'),
      ],
      options: everywhere,
      help: help("explain 'gzip, deflate, br'", "explain 'gzip;q=0, *'", "explain gzip 'br;q=0.5' --json"),
      run: async () => (await import('./compress/studies.js')).runExplain,
    }),
    command('proxy', {
      description: 'a reverse proxy in front of the lab, or of any server, that treats codings as nginx does',
      options: proxy,
      help: `
In a pipe, a line on stdin switches the mode while it runs: force-gunzip
Options with gzip change the modes that compress.
The gzip of real text is 1 to 4 % shorter than that of nginx, which has another zlib.
${help(
  'proxy --mode force-gunzip',
  'proxy --upstream https://example.com --mode gzip --port 9443',
  'proxy --mode gzip --upstream-http 1.0 --gzip-vary on',
  'proxy --mode ingress --nginx-conf > nginx.conf',
)}`,
      run: async () => (await import('./compress/proxy.js')).runProxy,
    }),
    command('table', {
      description:
        'a table of offers and sizes: the coding of each answer and the bytes of its body; exit 1 when a rule is broken',
      options: [
        ...everywhere,
        option('--kb <sizes>', 'sizes of /kb/<kb>, in units of 1,024 bytes', { fallback: '1,2,200' }),
        option('--offer <value...>', 'values of Accept-Encoding (default: those that differ somewhere)'),
      ],
      help: help('table', 'table --kb 1,64 --offer gzip br'),
      run: async () => (await import('./compress/studies.js')).runTable,
    }),
    command('gateway', {
      description: 'what a graph gateway and other programs offer by default, and what they get',
      words: [page200],
      options: [...everywhere, ...sending],
      help: help('gateway', 'gateway /.well-known/jwks.json'),
      run: async () => (await import('./compress/studies.js')).runGateway,
    }),
    command('lint', {
      description:
        'send the offers of real clients and compare: codings, bodies, Vary, ETag, HEAD, ranges, savings; exit 1 on a fault',
      words: [page],
      options: [...everywhere, ...sending],
      help: help('lint /kb/200', 'lint https://example.com/ --follow'),
      run: async () => (await import('./compress/studies.js')).runLint,
    }),
    command('budget', {
      description: 'the size of a body in every codec, and the time each takes',
      words: [argument('<file|url>', 'a file, - for stdin, an address, or a path of the lab')],
      options: [
        ...everywhere,
        option(
          '--dictionary <file>',
          'measure with this dictionary too: dcb and dcz (RFC 9842), by Node.js 24.21 and later',
        ),
        ...sending,
      ],
      help: examples([
        'oauth-lab compress budget page.html',
        'oauth-lab compress budget /kb/200',
        'cat page.html | oauth-lab compress budget -',
      ]),
      run: async () => (await import('./compress/studies.js')).runBudget,
    }),
    command('breach', {
      description: 'how the length of a compressed page reveals a secret, and how masking prevents that',
      options: [
        ...everywhere,
        option('--coding <coding>', 'the content coding', {
          choices: ['gzip', 'br', 'zstd'],
          fallback: 'gzip',
        }),
      ],
      help: help('breach', 'breach --coding br --json'),
      run: async () => (await import('./compress/studies.js')).runBreach,
    }),
    command('cache', {
      description: 'a shared cache with and without Vary, and who gets an answer that cannot be read',
      words: [page200],
      options: [...everywhere, ...sending],
      help: help('cache', 'cache https://localhost:8443/kb/2'),
      run: async () => (await import('./compress/studies.js')).runCache,
    }),
  ],
})
