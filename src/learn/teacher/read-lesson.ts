import { ATTACK_NAMES } from '../../judge/attacks/names.js'
import { foreignRule } from '../../protocol/rules/rule.js'
import { WEAK_NAMES } from '../../protocol/rules/weak-modes.js'
import { defined } from '../../protocol/values.js'
import { STAGE_NAMES } from '../../servers/authorization-server/stages/stages.js'
import { attackTask, logTask } from '../attack-tasks.js'
import { shellLines } from '../curl-lines.js'
import { MISCONCEPTIONS } from '../misconceptions.js'
import {
  type Lesson,
  type MisconceptionName,
  type NearMiss,
  type Needs,
  type Option,
  PROBE_NAMES,
  type Task,
} from '../model.js'
import { paragraphs } from './markdown.js'
import { type EventTypes, readCheck, readMistake } from './read-check.js'
import { checkMembers, has, items, lines, member, type Place, text, wholeNumber, word } from './reader.js'

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
  return Object.hasOwn(MISCONCEPTIONS, said) ? (said as MisconceptionName) : `own: ${said}`
}

function readOption(place: Place): Option {
  checkMembers(place, ['text', 'reply'], ['misconception'])
  return defined({
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
    tasks: items(member(place, 'tasks')).map(each => readTask(each, types)),
    explanation: prose(member(place, 'explanation')),
    remember: items(member(place, 'remember')).map(text),
    rule: foreignRule(text(member(place, 'rule'))),
    ...(weak && { weak }),
    stretch: has(place, 'stretch') ? prose(member(place, 'stretch')) : [],
  }
}
