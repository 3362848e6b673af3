import { labFileJsonSchema } from '../../src/lab/lab-file/lab-file.js'
import { read } from '../support/source-files.js'
import { allMembersOf, cell, membersOf, type Source, source } from './declarations.js'

const intro = `# The lab as a library

Made of the docstrings in \`src/session/api\` by \`npm run docs\`; a test holds it equal to them, and the examples run as tests.

\`\`\`sh
npm install --save-dev ./oauth-lab-0.1.0.tgz    # made by npm pack in a clone; once published: oauth-lab
\`\`\`

It is an ES module with its types; nothing of the terminal is loaded. Every lab has its own keys, CA, people and clock,
in memory: several may run in one process, and nothing is left behind.

## In node:test

\`\`\`js
EXAMPLE node-test.test.js
\`\`\`

## In vitest

\`\`\`ts
EXAMPLE vitest.test.ts
\`\`\`

## How programs under test trust the lab

Its certificates are signed by a CA of its own, a new one for every lab.

- A client that takes a CA: give it \`lab.ca.pem\`, as in \`https.request(url, { ca: lab.ca.pem })\`, or the file \`lab.ca.path\`.
- A client that takes a \`fetch\`: give it \`lab.fetch\`.
- Anything else in this process: start the lab with a state folder, \`startLab({ home })\`, and the tests with
  \`NODE_EXTRA_CA_CERTS\` set to \`ca.pem\` in it. Node reads that variable once, when it starts. \`oauth-lab ca path\` makes
  the folder of \`OAUTH_LAB_HOME\` and its CA beforehand.
`

// Scripts are plain JavaScript, and have no types.
const printer: string = '../../scripts/lab-file-types.js'
const { labFileTypes } = (await import(printer)) as { labFileTypes: (schema: object) => string }

const LAB_FILE = 'lab-file-schema.d.ts'

/** Types of the page: title, file, name. */
const types = [
  ['startLab(options)', 'src/session/api/lab.ts', 'StartLabOptions'],
  ['The lab', 'src/session/api/lab.ts', 'Lab'],
  ['The URLs of a lab', 'src/session/api/lab.ts', 'SiteUrls'],
  ['Logins and flows', 'src/session/api/flow-request.ts', 'FlowRequest'],
  ['The clock', 'src/session/api/clock.ts', 'LabClock'],
  ['Events', 'src/session/api/events.ts', 'LabEvents'],
  ['Errors', 'src/session/api/flow-error.ts', 'FlowError'],
  ['Clients', LAB_FILE, 'ClientEntry'],
  ['Users', LAB_FILE, 'UserEntry'],
  ['The lab file', LAB_FILE, 'LabFile'],
  ['The cluster', LAB_FILE, 'ClusterEntry'],
  ['Other servers', LAB_FILE, 'ServerEntry'],
  ['The DNS API', LAB_FILE, 'DnsEntry'],
  ['DNS records', LAB_FILE, 'DnsRecordEntry'],
] as const

const folded = (doc: string): string => doc.replace(/\n@(\w+) /g, ' *$1:* ')

function declared(from: Source, name: string) {
  const found = from.declarations.get(name)
  if (found === undefined) throw new Error(`there is no ${name}`)
  return found
}

function section([title, file, name]: (typeof types)[number]): string[] {
  const from = file === LAB_FILE ? source(file, labFileTypes(labFileJsonSchema())) : source(file)
  const { doc, node } = declared(from, name)
  const members = file === LAB_FILE ? membersOf(from, node) : allMembersOf(file, name)
  const rows = members
    .filter(({ name: member }) => !['constructor', 'name'].includes(member))
    .map(member => `| \`${cell(member.signature)}\` | ${cell(folded(member.doc))} |`)
  const start =
    name === 'StartLabOptions' ? declared(source('src/session/api/start-lab.ts'), 'startLab').doc : doc
  return [`## ${title}`, '', folded(start), '', '| member | |', '|---|---|', ...rows, '']
}

/** docs/reference/library.md, made of the docstrings of the library and of its examples. */
export function libraryPage(): string {
  const withExamples = intro.replace(/EXAMPLE (\S+)/g, (_, name: string) =>
    read(`examples/${name}`).trimEnd(),
  )
  const more = [
    'The names of events and their members are in [events.md](events.md), errors in [errors.md](errors.md).',
  ]
  return `${[withExamples, ...types.flatMap(section), ...more].join('\n').trimEnd()}\n`
}
