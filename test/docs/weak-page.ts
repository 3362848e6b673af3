import { WEAK_MODES, type WeakSite } from '../../src/protocol/rules/weak-modes.js'
import { cell } from './declarations.js'

const titles: Readonly<Record<WeakSite, string>> = {
  'authorization-server': 'The authorization server',
  'resource-server': 'The resource server',
  'demo-client': 'The demo client',
}

function part(site: WeakSite): string[] {
  const modes = WEAK_MODES.filter(({ at }) => at === site)
  if (modes.length === 0) return []
  return [
    `## ${titles[site]}`,
    '',
    '| mode | it … | what that opens | rule |',
    '|---|---|---|---|',
    ...modes.map(
      ({ name, sentence, opens, rule }) =>
        `| \`${name}\` | ${cell(sentence)} | ${cell(opens)} | ${cell(rule)} |`,
    ),
    '',
  ]
}

const head = `# Weak modes

For people who want to see an attack succeed, and then see which check stops it.

A lab is strict. A weak mode switches one defence of it off on purpose; every other defence stays. \`oauth-lab serve --weak redirect-any\`
starts a lab with one, \`--weak redirect-any,no-iss\` with two. \`weak: [redirect-any]\` in the [lab file](lab-file.md) and
\`startLab({ weak: ['redirect-any'] })\` of the [library](library.md) do the same; the option of \`serve\` replaces the list of the file.
\`oauth-lab weak list\` prints the modes, as data with \`--json\`.

A weak lab says so: \`WEAK on purpose: …\` stands on each of its pages, in its greeting, on the dashboard and on the screens of flows and attacks. Every event has
\`weak\` with the names of the modes, and so has the first line of \`serve --json\`.

It is for this computer alone. \`serve\` refuses a \`--host\` that other machines reach, unless \`--weak-anywhere\` says that the network is yours, as in a
workshop. The profile \`reference\` has no weak modes.

The metadata stay truthful: with \`no-iss\`, for example, they do not announce \`iss\`. A strict lab has no code of the modes in its path: a mode replaces a
function when the lab is put together.

`

const notes = `## Notes

- \`redirect-prefix\` and \`redirect-any\` still refuse addresses that are no addresses, such as \`javascript:\`.
- \`open-registration\`: a client that registered itself is to the server like one of the lab file. Its \`jwks_uri\` is fetched from private addresses, too.
- \`fetch-anything\` reads documents of private and link-local addresses, at any port, over http, and follows five redirects. 64 kB and five seconds stay its limits.
- \`any-resource\` does not refuse an unknown \`resource\` either: the parameter is not read.
- \`plain-downgrade\`: a request whose \`code_challenge_method\` was removed is taken as \`plain\` (RFC 7636 §4.3). Its \`code_challenge\` is then the
  \`code_verifier\`.
- \`framable\` sends cookies with \`SameSite=None\` too, because a \`Lax\` cookie stays out of frames of other sites: nobody would be logged in there.
- \`referrer\`: the picture comes from \`/public\` of the lab's resource server, which is another origin. The address of a page can hold \`state\`, a
  \`user_code\` or an \`id_token_hint\`.
- \`no-mask\` switches compression on. The parameter \`campaign\` of an authorization request is repeated on the page, and the csrf value stands there as
  \`name=csrf value=…\`. \`oauth-lab compress breach\` measures guesses at a running lab, weak or strict.
- \`hs-rs\` takes the PEM text of the public key as the secret, as \`oauth-lab keys export\` writes it.
- \`kid-path\` looks keys up in \`/srv/lab/keys\`. That folder is in memory: \`../www/public.json\` is what \`/public\` of the resource server answers,
  and \`../../../dev/null\` is empty. No \`kid\` reaches a file of your computer.
- \`id-token-as-access-token\`: an ID token has no scope, so such a server lets it do everything.
- \`oauth-lab doctor\` finds those modes that a client can see from outside.
- \`saml-wrapping\` verifies the first signature in the document, and reads the root element.
`

/** docs/reference/weak-modes.md, made of the table of weak modes. */
export function weakPage(): string {
  const sites = Object.keys(titles) as WeakSite[]
  return `${head}${sites.flatMap(part).join('\n')}\n${notes}`
}
