import { foreignRule } from '../../protocol/rules/rule.js'
import { WEAK_NAMES } from '../../protocol/rules/weak-modes.js'
import { defined } from '../../protocol/values.js'
import { STAGE_NAMES } from '../../servers/authorization-server/stages/stages.js'
import { type Lesson, type NearMiss, type Needs, type Option, PROBE_NAMES, type Task } from '../model.js'
import { paragraphs } from './markdown.js'
import { type EventTypes, readCheck, readMistake } from './read-check.js'
import { checkMembers, has, items, lines, member, type Place, text, wholeNumber, word } from './reader.js'

const prose = (place: Place): string[] => paragraphs(text(place))

function readNeeds(place: Place): Needs {
  checkMembers(place, ['client', 'user'], ['stage', 'weak'])
  const weak = items(member(place, 'weak')).flatMap(each => word(each, WEAK_NAMES) ?? [])
  return defined({
    client: text(member(place, 'client')),
    user: text(member(place, 'user')),
    stage: word(member(place, 'stage'), STAGE_NAMES),
    weak: weak.length > 0 ? weak : undefined,
  })
}

function readOption(place: Place): Option {
  checkMembers(place, ['text', 'reply'], ['misconception'])
  return defined({
    text: text(member(place, 'text')),
    reply: text(member(place, 'reply')),
    misconception: has(place, 'misconception')
      ? (`own: ${text(member(place, 'misconception'))}` as const)
      : undefined,
  })
}

function readNearMiss(place: Place): NearMiss {
  checkMembers(place, ['name', 'lines', 'why'])
  const name = text(member(place, 'name'))
  return { name, lines: lines(member(place, 'lines')), why: text(member(place, 'why')) }
}

function readTask(place: Place, types: EventTypes): Task {
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
  const probed = has(check, 'probe') ? word(member(check, 'probe'), PROBE_NAMES) : undefined
  const clients = items(member(place, 'clients')).map(text)
  return defined({
    name: text(member(place, 'name')),
    say: prose(member(place, 'say')),
    clients: clients.length > 0 ? clients : undefined,
    newcomers: member(place, 'newcomers').value === true || undefined,
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
      cli: has(solutions, 'cli') ? lines(member(solutions, 'cli')) : [],
      curl: has(solutions, 'curl') ? lines(member(solutions, 'curl')) : [],
    },
    nearMisses: items(member(place, 'near_misses')).map(readNearMiss),
  })
}

/**
 * Reads a lesson from the value of its file, and reports every problem.
 * @param name of the file, without its ending
 */
export function readLesson(place: Place, name: string, types: EventTypes): Lesson {
  checkMembers(
    place,
    ['title', 'minutes', 'needs', 'opening', 'prediction', 'tasks', 'explanation', 'remember', 'rule'],
    ['after', 'stretch'],
  )
  const prediction = member(place, 'prediction')
  if (prediction.value !== undefined) checkMembers(prediction, ['question', 'options'])
  const needs = member(place, 'needs')
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
    stretch: prose(member(place, 'stretch')),
  }
}
