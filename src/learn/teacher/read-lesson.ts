import { ATTACK_NAMES, type AttackName } from '../../judge/attacks/names.js'
import { foreignRule } from '../../protocol/rules/rule.js'
import { WEAK_NAMES } from '../../protocol/rules/weak-modes.js'
import { defined } from '../../protocol/values.js'
import { STAGE_NAMES } from '../../servers/authorization-server/stages/stages.js'
import { drawsOf } from '../capstones/draw.js'
import { all, answered, seen } from '../engine/vocabulary.js'
import { MISCONCEPTIONS } from '../misconceptions.js'
import {
  type Check,
  type Lesson,
  type MisconceptionName,
  type NearMiss,
  type Needs,
  type Option,
  PROBE_NAMES,
  type Task,
} from '../model.js'
import { type EventTypes, readCheck, readMistake } from './read-check.js'
import { checkMembers, has, items, lines, member, type Place, text, wholeNumber, word } from './reader.js'

/** The attack succeeds at a lab without the defence of the lesson, and fails at a strict one. */
function attackTask(attack: AttackName, say: string): Task {
  const weak = `oauth-lab attack run ${attack}`
  const strict = `${weak} --strict`
  const ended = (outcome: 'stolen' | 'defended', why: string): Check =>
    seen({ event: 'attack.ended', where: { attack, outcome }, anyone: true, why })
  const missing = {
    stolen: `The attack has not succeeded yet. Type it without --strict: that lab is weak on purpose.`,
    defended: 'The attack succeeded. Now let it meet a lab with every defence: --strict, or d on its screen.',
  }
  return {
    name: 'attack',
    say: [
      say.replace(/:$/, '.'),
      `The attack is called ${attack}. Let it succeed at its weak lab, and fail at a strict one: oauth-lab attack run --help names the option. On its screen, Enter takes a step, and d switches the defence on.`,
    ],
    check: all(ended('stolen', missing.stolen), ended('defended', missing.defended)),
    mistakes: [
      {
        event: 'attack.ended',
        where: { attack: { not: attack } },
        anyone: true,
        why: `That was another attack. This task is about ${attack}.`,
        again: `Another attack again. Its name in this task is ${attack}.`,
      },
    ],
    hints: {
      question: 'Which defence must be off for the attack to succeed, and on for it to fail?',
      place: 'The last lines of both runs: “stolen” and “missing”, then “defended” and its rule.',
      line: strict,
    },
    solutions: { cli: [weak, strict], curl: [] },
    nearMisses: [
      { name: 'the weak lab alone', lines: [weak], why: missing.defended },
      { name: 'the strict lab alone', lines: [strict], why: missing.stolen },
    ],
  }
}

/** Two logs of one attack: a lab stopped it, another one did not. */
interface TwoLogs {
  /** In the order of their letters: A, B. Lines have 70 characters at most. */
  readonly logs: readonly [readonly string[], readonly string[]]
  readonly defended: 'A' | 'B'
  /** Lines that show the defence, from 1. */
  readonly lines: readonly number[]
  /** Said after a line of the log without defence. */
  readonly fooled: string
  /** A question that leads to the line. */
  readonly question: string
}

/** Events of everybody's day, which say nothing about an attack. */
const USUAL_LINES = [
  'request.answered site=authorization-server path=/.well-known/jwks.json',
  'login.failed client_id=demo username=dora reason=credentials',
  'token.issued client_id=demo-service grant_type=client_credentials',
  'resource.accepted client_id=demo-service path=/resource',
]

/** Swaps the letters of two logs in a text. */
const swapped = (text: string): string =>
  text.replace(/\b(log) ([AB])\b/gi, (_, log, letter) => `${log} ${letter === 'A' ? 'B' : 'A'}`)

/** The same logs under letters that a seed draws, each with other lines of a usual day before it. */
function drawnLogs({ logs, defended, lines, fooled, question }: TwoLogs, seed: number): TwoLogs {
  const draw = drawsOf(seed, logs.flat().join())
  const head = () => draw.shuffled(USUAL_LINES).slice(0, draw.below(3))
  const heads = [head(), head()] as const
  const [a, b] = [
    [...heads[0], ...logs[0]],
    [...heads[1], ...logs[1]],
  ]
  const moved = lines.map(line => line + heads[defended === 'A' ? 0 : 1].length)
  if (draw.below(2) === 0) return { logs: [a, b], defended, lines: moved, fooled, question }
  return {
    logs: [b, a],
    defended: defended === 'A' ? 'B' : 'A',
    lines: moved,
    fooled: swapped(fooled),
    question: swapped(question),
  }
}

const spelt = (name: string): string[] => [name, `line ${name}`, `${name[0]} ${name.slice(1)}`]

/** Finding out, by two logs, which lab was defended. */
function logTask(given: TwoLogs): Task {
  const { logs, defended, lines, fooled, question } = given
  const other = defended === 'A' ? 'B' : 'A'
  const names = (letter: 'A' | 'B') => logs[letter === 'A' ? 0 : 1].map((_, i) => `${letter}${i + 1}`)
  const right = lines.map(line => `${defended}${line}`)
  const wrongLines = names(defended).filter(name => !right.includes(name))
  const notThere = 'That is the log of the lab with the defence. Which of its lines shows that?'
  const answer = 'oauth-lab learn check --answer'
  return {
    name: 'two-logs',
    say: [
      'Two labs met this attack. Which one was defended, and which line shows it?',
      ...logs[0].map((line, i) => `A${i + 1} ${line}`),
      '',
      ...logs[1].map((line, i) => `B${i + 1} ${line}`),
      '',
      'Answer with letter and number, such as A1: oauth-lab learn answer NAME.',
    ],
    asks: true,
    drawn: seed => logTask(drawnLogs(given, seed)),
    check: answered({
      right: right.flatMap(spelt),
      why: 'There is no answer yet.',
      otherwise: 'Answer with the name of one line, such as A1.',
      wrong: [
        {
          when: [other, ...names(other)].flatMap(spelt),
          why: fooled,
          again: `Log ${other} again. In which of the two does the attacker go away with nothing?`,
        },
        { when: [defended, ...wrongLines].flatMap(spelt), why: notThere, again: question },
      ],
    }),
    mistakes: [],
    hints: {
      question,
      place: `Log ${defended}, near its end.`,
      line: `${answer} ${right[0]}`,
    },
    solutions: { cli: [`${answer} ${right[0]}`], curl: [] },
    nearMisses: [
      { name: 'the log of the theft', lines: [`${answer} ${names(other).at(-1)}`], why: fooled },
      { name: 'a line that says nothing', lines: [`${answer} ${wrongLines[0]}`], why: notThere },
    ],
  }
}

/** Quiet, with the CA of the lab. `$LAB` and `$CA` are set where a solution runs. */
const CURL = 'curl -s --cacert "$CA"'

/** By the names of the clients. */
const SECRETS: Readonly<Record<string, string>> = {
  course: 'course-secret-0123456789abcdef0123456',
  demo: 'demo-secret-0123456789abcdef0123456789',
  'demo-service': 'demo-service-secret-0123456789abcdef01',
}

/** Puts the address of the answer into `$location`, and its code into `$code`. Nobody listens at the loopback address. */
function login(client = '', user = '', password = '', query = '', options = ''): string[] {
  const callback = 'http%3A%2F%2F127.0.0.1%2Fcallback'
  return [
    `jar=$(mktemp); url="$LAB/authorization?response_type=code&client_id=${client}&redirect_uri=${callback}${query}"`,
    `csrf=$(${CURL} -c "$jar" "$url" | sed -n 's/.*name="csrf" value="\\([^"]*\\)".*/\\1/p')`,
    `location=$(${CURL} -b "$jar"${options} -o /dev/null -w '%{redirect_url}' \\`,
    `  -d username=${user} -d password=${password} --data-urlencode "csrf=$csrf" "$url")`,
    `code=$(printf '%s' "$location" | sed 's/.*[?&]code=\\([^&]*\\).*/\\1/')`,
  ]
}

/** Redeems `$code`, for a client or for `client:secret`. */
function redeem(client = '', ...more: readonly string[]): [string, string] {
  const credentials = Object.hasOwn(SECRETS, client) ? `${client}:${SECRETS[client]}` : client
  const options = ['http://127.0.0.1/callback', ...more].join(' ')
  return [
    `${CURL} -u ${credentials} -d grant_type=authorization_code -d "code=$code" \\`,
    `  -d redirect_uri=${options} "$LAB/token"`,
  ]
}

/** Redeems `$code` and puts the access token into `$token`. */
function token(client?: string, ...more: readonly string[]): string[] {
  const [first, second] = redeem(client, ...more)
  return [`answer=$(${first}`, `${second})`, kept('token', 'access_token')]
}

/** A line that keeps a member of an answer in a variable. */
const kept = (variable: string, name: string): string =>
  `${variable}=$(printf '%s' "$answer" | sed 's/.*"${name}":"\\([^"]*\\)".*/\\1/')`

/**
 * Pieces of solutions: `@login CLIENT USER PASSWORD [QUERY]`, `@session` likewise, which keeps the session in `$jar`,
 * `@redeem CLIENT [OPTIONS]`, `@token CLIENT [OPTIONS]`, and `@tokens` likewise, with `$refresh` and `$hint`.
 */
const PIECES: Readonly<Record<string, (...words: readonly string[]) => readonly string[]>> = {
  '@login': login,
  '@session': (client, user, password, query) => login(client, user, password, query, ' -c "$jar"'),
  '@redeem': redeem,
  '@token': token,
  '@tokens': (...words) => [...token(...words), kept('refresh', 'refresh_token'), kept('hint', 'id_token')],
}

/** Writes out the pieces in the lines of a shell. */
const shellLines = (place: Place): string[] =>
  (Array.isArray(place.value) ? items(place).map(({ value }) => String(value)) : lines(place)).flatMap(
    line => {
      const [name = '', ...words] = line.split(' ')
      return Object.hasOwn(PIECES, name) ? (PIECES[name]?.(...words) ?? []) : [line]
    },
  )

/** The paragraphs of Markdown. Code (four spaces) and list items stay lines; marks of emphasis and code go. */
export function paragraphs(markdown: string): string[] {
  const found: string[] = []
  let paragraph = ''
  const end = () => {
    if (paragraph !== '') found.push(paragraph)
    paragraph = ''
  }
  for (const line of markdown.split('\n')) {
    if (line.startsWith('    ')) {
      end()
      found.push(`  ${line.trim()}`)
    } else if (line.trim() === '') {
      end()
    } else {
      if (/^\s*[-*] /.test(line)) end()
      const words = line
        .trim()
        .replace(/\*\*([^*]+)\*\*|`([^`]+)`|(?<!\w)[*_]([^*_]+)[*_](?!\w)/g, (_, a, b, c) => a ?? b ?? c)
      paragraph = paragraph === '' ? words : `${paragraph} ${words}`
    }
  }
  end()
  return found
}

/** Markdown, or a list of paragraphs as they are. */
const prose = (place: Place): string[] =>
  Array.isArray(place.value) ? items(place).map(({ value }) => String(value)) : paragraphs(text(place))

const flag = (place: Place, name: string): true | undefined => member(place, name).value === true || undefined

function readNeeds(place: Place): Needs {
  checkMembers(place, ['client', 'user'], ['stage', 'weak', 'hidden', 'serve'])
  const weak = items(member(place, 'weak')).flatMap(each => word(each, WEAK_NAMES) ?? [])
  return defined({
    client: text(member(place, 'client')),
    user: text(member(place, 'user')),
    stage: word(member(place, 'stage'), STAGE_NAMES),
    weak: weak.length > 0 ? weak : undefined,
    hidden: flag(place, 'hidden'),
    serve: flag(place, 'serve'),
  })
}

/** A belief of the program, or one that the lesson states. */
function misconception(place: Place): NonNullable<Option['misconception']> {
  const said = text(place)
  // A name of one word is meant to be one of the program.
  if (/^[\da-z]+(?:-[\da-z]+)+$/.test(said)) word(place, Object.keys(MISCONCEPTIONS))
  return Object.hasOwn(MISCONCEPTIONS, said) ? (said as MisconceptionName) : `own: ${said}`
}

function readOption(place: Place): Option {
  checkMembers(place, ['text', 'reply'], ['misconception', 'rule', 'shown'])
  return defined({
    rule: has(place, 'rule') ? foreignRule(text(member(place, 'rule'))) : undefined,
    shown: has(place, 'shown') ? text(member(place, 'shown')) : undefined,
    text: text(member(place, 'text')),
    reply: text(member(place, 'reply')),
    misconception: has(place, 'misconception') ? misconception(member(place, 'misconception')) : undefined,
  })
}

function readNearMiss(place: Place): NearMiss {
  checkMembers(place, ['name', 'lines', 'why'])
  const name = text(member(place, 'name'))
  return { name, lines: shellLines(member(place, 'lines')), why: text(member(place, 'why')) }
}

/** Lines and sentences follow from the name of the attack. */
function readAttack(place: Place): Task {
  checkMembers(place, ['attack', 'say'])
  return attackTask(
    word(member(place, 'attack'), ATTACK_NAMES) ?? ATTACK_NAMES[0],
    text(member(place, 'say')),
  )
}

/** One of the logs is that of the lab with the defence. */
function readLogs(task: Place): Task {
  checkMembers(task, ['two_logs'])
  const place = member(task, 'two_logs')
  checkMembers(place, ['A', 'B', 'defended', 'lines', 'fooled', 'question'])
  return logTask({
    logs: [lines(member(place, 'A')), lines(member(place, 'B'))],
    defended: word(member(place, 'defended'), ['A', 'B']) ?? 'A',
    lines: items(member(place, 'lines')).map(wholeNumber),
    fooled: text(member(place, 'fooled')),
    question: text(member(place, 'question')),
  })
}

/** Returns true for a check of a typed answer, also among others. */
const isQuestion = (check: Place): boolean =>
  has(check, 'answer') ||
  has(check, 'answer_in') ||
  member(check, 'judged_by').value === 'hidden-defences' ||
  [...items(member(check, 'all')), ...items(member(check, 'one_of'))].some(isQuestion)

function readTask(place: Place, types: EventTypes): Task {
  if (has(place, 'attack')) return readAttack(place)
  if (has(place, 'two_logs')) return readLogs(place)
  checkMembers(
    place,
    ['name', 'say', 'check', 'hints', 'solutions', 'near_misses'],
    ['clients', 'mistakes', 'newcomers', 'probe', 'stage'],
  )
  const hints = member(place, 'hints')
  const solutions = member(place, 'solutions')
  if (hints.value !== undefined) checkMembers(hints, ['question', 'place', 'line'])
  if (solutions.value !== undefined) checkMembers(solutions, ['cli'], ['curl'])
  const check = member(place, 'check')
  // The client thread runs the probe of a built-in lesson that has it in a list; a teacher's lesson has no thread.
  const holders = types === undefined ? [check] : [check, ...items(member(check, 'one_of'))]
  const holder = holders.find(each => has(each, 'probe'))
  const probed = holder && word(member(holder, 'probe'), PROBE_NAMES)
  const clients = items(member(place, 'clients')).map(text)
  return defined({
    name: text(member(place, 'name')),
    say: prose(member(place, 'say')),
    clients: clients.length > 0 ? clients : undefined,
    newcomers: flag(place, 'newcomers'),
    asks: isQuestion(check) || undefined,
    probe: probed,
    stage: has(place, 'stage') ? word(member(place, 'stage'), STAGE_NAMES) : undefined,
    check: readCheck(check, types),
    mistakes: items(member(place, 'mistakes')).map(each => readMistake(each, types)),
    hints: {
      question: text(member(hints, 'question')),
      place: text(member(hints, 'place')),
      line: text(member(hints, 'line')),
    },
    solutions: {
      cli: has(solutions, 'cli') ? shellLines(member(solutions, 'cli')) : [],
      curl: has(solutions, 'curl') ? shellLines(member(solutions, 'curl')) : [],
    },
    nearMisses: items(member(place, 'near_misses')).map(readNearMiss),
  })
}

function readWeak(place: Place): Lesson['weak'] {
  checkMembers(place, ['mode', 'line'])
  const mode = word(member(place, 'mode'), WEAK_NAMES)
  return mode && { mode, line: text(member(place, 'line')) }
}

/** Reports every problem of a lesson file. @param name of the file, without its ending */
export function readLesson(place: Place, name: string, types: EventTypes): Lesson {
  checkMembers(
    place,
    ['title', 'minutes', 'needs', 'opening', 'prediction', 'tasks', 'explanation', 'remember', 'rule'],
    ['after', 'stretch', 'weak'],
  )
  const prediction = member(place, 'prediction')
  const tasks = items(member(place, 'tasks')).map(each => readTask(each, types))
  for (const each of items(member(prediction, 'options'))) {
    if (has(each, 'shown'))
      word(
        member(each, 'shown'),
        tasks.map(task => task.name),
      )
  }
  if (prediction.value !== undefined) checkMembers(prediction, ['question', 'options'])
  const needs = member(place, 'needs')
  const weak = has(place, 'weak') ? readWeak(member(place, 'weak')) : undefined
  return {
    name,
    title: text(member(place, 'title')),
    minutes: wholeNumber(member(place, 'minutes')),
    after: items(member(place, 'after')).map(text),
    needs: needs.value === undefined ? { client: '', user: '' } : readNeeds(needs),
    opening: prose(member(place, 'opening')),
    prediction: {
      question: text(member(prediction, 'question')),
      options: items(member(prediction, 'options')).map(readOption),
    },
    tasks,
    explanation: prose(member(place, 'explanation')),
    remember: items(member(place, 'remember')).map(text),
    rule: foreignRule(text(member(place, 'rule'))),
    ...(weak && { weak }),
    stretch: has(place, 'stretch') ? prose(member(place, 'stretch')) : [],
  }
}
