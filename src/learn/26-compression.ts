import { attackTask, logTask } from './attack-tasks.js'
import { CURL } from './curl-lines.js'
import type { Check, Evidence, Lesson } from './model.js'

/** Bytes by which a right guess shortens a page; guesses of other letters differ by a few. */
const GAP = 10

/** Fewest different characters of a guess: a run of one letter is short by itself. */
const VARIED = 12

const NO_GUESS =
  'No compressed page has repeated a guess yet: csrf value= and 43 characters in the parameter campaign.'
const ONE_GUESS = 'One guess is measured. Measure another one of the same length at the same page.'
const SAME_LENGTHS =
  'The pages differ by a few bytes at most: none of these guesses is the value of the page.'
const DULL = 'A guess of a few different letters is short by itself. Guess a value like that of the page.'

/** The guess that a request carries, and the bytes of the compressed page. */
interface Measured {
  readonly guess: string
  readonly bytes: number
  readonly event: Evidence['events'][number]
}

/** The compressed pages that repeated a guess of a whole csrf value. */
function measuredPages({ withAnonymous }: Evidence): Measured[] {
  return withAnonymous.flatMap(event => {
    if (event.type !== 'request.answered' || event.coding === undefined) return []
    const query = String(event.path).split('?')[1] ?? ''
    const guess = /^csrf value=([\w-]{43})$/.exec(new URLSearchParams(query).get('campaign') ?? '')?.[1]
    return guess === undefined ? [] : [{ guess, bytes: Number(event.wireBytes), event }]
  })
}

/** Done when two guesses of the same length brought pages of clearly different lengths. */
const lengthsDiffer: Check = evidence => {
  const pages = measuredPages(evidence)
  const varied = pages.filter(({ guess }) => new Set(guess).size >= VARIED)
  const last = varied.at(-1)
  const missing = (why: string) => ({ done: false as const, why, events: pages.map(({ event }) => event) })
  if (last === undefined) return missing(pages.length > 0 ? DULL : NO_GUESS)
  const others = varied.filter(({ guess }) => guess !== last.guess)
  const other = others.find(({ bytes }) => Math.abs(bytes - last.bytes) >= GAP)
  if (other !== undefined) return { done: true, events: [other.event, last.event] }
  return missing(others.length > 0 ? SAME_LENGTHS : ONE_GUESS)
}

const PAGE =
  'url="$LAB/authorization?response_type=code&client_id=demo&redirect_uri=http%3A%2F%2F127.0.0.1%2Fcallback"'

/** Puts the csrf value of the page into `$csrf`, and another text of the same letters into `$wrong`. */
const OPEN = [
  `jar=$(mktemp); ${PAGE}`,
  `csrf=$(${CURL} -b "$jar" -c "$jar" "$url" | sed -n 's/.*name=.\\{0,1\\}csrf.\\{0,1\\} value=.\\{0,1\\}\\([A-Za-z0-9_-]\\{43\\}\\).*/\\1/p' | head -1)`,
  'wrong=$(printf %s "$csrf" | rev)',
]

/** Asks for the compressed page with a guess, and prints the length of the answer. */
const measure = (guess: string): string =>
  `${CURL} -b "$jar" -H "Accept-Encoding: gzip" -o /dev/null -w '%{size_download}\\n' -G --data-urlencode "campaign=csrf value=${guess}" "$url"`

export const lesson: Lesson = {
  name: '26-compression',
  title: 'Compression and secrets: what a length gives away',
  minutes: 11,
  after: ['04-state'],
  needs: { client: 'demo', user: 'alice', weak: ['no-mask'] },
  opening: [
    'A login page holds a secret: the csrf value of its form. It repeats a part of its address, too, the parameter campaign. This lab sends the page compressed, and gzip writes a text that comes twice only once. An observer sees no text, because of TLS, but the length of each answer.',
  ],
  prediction: {
    question: 'The address holds a guess of the csrf value. What can the observer learn?',
    options: [
      {
        text: 'Nothing. TLS encrypts the page, and the secret in it.',
        misconception: 'https-is-enough',
        reply: 'TLS hides each letter, and shows how many there are.',
      },
      {
        text: 'Whether the guess is right: the page is shorter then.',
        reply: 'A right guess is a repetition, and a repetition costs a few bytes instead of 43.',
      },
      {
        text: 'Nothing. The browser lets no other site read the page.',
        misconception: 'cors-is-security',
        reply: 'Nobody reads the page. Its length on the wire is enough.',
      },
    ],
  },
  tasks: [
    {
      name: 'lengths',
      say: [
        'In another terminal, measure the page with its own value as the guess, and with the letters in reverse order. s (solution) has the lines for LAB and CA.',
        '  jar=$(mktemp)    # keep the cookie: the value belongs to it',
        '  curl -G --data-urlencode "campaign=csrf value=GUESS" …',
      ],
      check: lengthsDiffer,
      mistakes: [],
      hints: {
        question: 'Which two requests differ in nothing but their guess?',
        place: 'The parameter campaign of GET /authorization, and the size of its compressed answer.',
        line: measure('$csrf'),
      },
      solutions: {
        cli: ['LAB={lab}; CA=$(oauth-lab ca path)', ...OPEN, measure('$wrong'), measure('$csrf')],
        curl: [...OPEN, measure('$csrf'), measure('$wrong')],
      },
      nearMisses: [
        { name: 'one guess', lines: [...OPEN, measure('$csrf')], why: ONE_GUESS },
        {
          name: 'two wrong guesses',
          lines: [
            ...OPEN,
            measure('$wrong'),
            'wrong=$(printf %s "$wrong" | cut -c 20-43,1-19 | tr A-Y B-Z)',
            measure('$wrong'),
          ],
          why: SAME_LENGTHS,
        },
        { name: 'one letter, 43 times', lines: [...OPEN, measure('a'.repeat(43))], why: DULL },
        {
          name: 'a page that is not compressed',
          lines: [...OPEN, measure('$csrf').replace('-H "Accept-Encoding: gzip"', '')],
          why: NO_GUESS,
        },
      ],
    },
    attackTask(
      'breach',
      'An attacker guesses letter by letter, each time by the shortest page. See the attack at a lab that compresses the value as it is, and at one that masks it in another way in each page:',
    ),
    logTask({
      logs: [
        [
          'consent.shown client_id=demo-spa username=alice',
          'consent.shown client_id=demo-spa username=alice',
          'consent.granted client_id=demo-spa username=alice',
          'code.issued client_id=demo-spa username=alice',
          'resource.accepted client_id=demo-spa path=/records',
        ],
        [
          'consent.shown client_id=demo-spa username=alice',
          'consent.shown client_id=demo-spa username=alice',
          'consent.failed client_id=demo-spa username=alice reason=csrf',
          'consent.shown client_id=demo-spa username=alice',
        ],
      ],
      defended: 'B',
      lines: [3],
      fooled:
        'In log A a consent was granted that alice never gave: the attacker had the value of her form, and sent it.',
      question: 'Which line says that the value in a form was not the one of the page?',
    }),
  ],
  explanation: [
    'The compressor does not know which text is secret and which one comes from the address. A right guess was written as “the same as above”, so the page was shorter. The attack does that letter by letter, in the browser of the victim. A masked value is another text in each page: random bytes, and the value combined with them. The server takes the mask off; a guess never repeats it.',
  ],
  remember: [
    'Do not compress a secret together with text that somebody else chooses, or mask the secret in each answer.',
    'TLS hides the content, and not the length.',
  ],
  rule: 'RFC 9110 §17.6',
  weak: { mode: 'no-mask', line: 'oauth-lab attack run breach' },
  stretch: ['oauth-lab compress breach --coding br: does another coding help? Why not?'],
}
