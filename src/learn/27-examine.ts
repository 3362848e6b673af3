import type { KeptEvent } from '../lab/state/event-file.js'
import { WEAK_NAMES } from '../protocol/rules/weak-modes.js'
import { alarms } from './capstones/quiz.js'
import { judgeAnswers } from './engine/hidden.js'
import type { Check, Lesson } from './model.js'

const DOCTOR = 'oauth-lab doctor'
const ANSWER = 'oauth-lab learn check --answer'

const NOT_EXAMINED = 'No examination of this lab has ended yet.'
const SAW_NOTHING =
  'That examination saw nothing wrong. It was about a part of the server: run it without --only.'
const SAW_PART =
  'That examination saw faults of one server alone. There are two, the authorization server and the resource server.'
const NO_ANSWER = 'There is no answer yet.'

/** The faults that an examination named. */
const faultsOf = ({ faults }: KeptEvent): readonly unknown[] => (Array.isArray(faults) ? faults : [])

const ofResource = (fault: unknown): boolean => String(fault).startsWith('resource-')

/** Done when an examination named faults of both servers. */
const examined: Check = ({ withAnonymous }) => {
  const ended = withAnonymous.filter(({ type }) => type === 'doctor.ended')
  const whole = ended.find(event => {
    const faults = faultsOf(event)
    return faults.some(ofResource) && !faults.every(ofResource)
  })
  if (whole !== undefined) return { done: true, events: [whole] }
  const last = ended.at(-1)
  if (last === undefined) return { done: false, why: NOT_EXAMINED, events: [] }
  return { done: false, why: faultsOf(last).length === 0 ? SAW_NOTHING : SAW_PART, events: [last] }
}

/** The sentence about the latest answer, which did not end the task. */
function sentenceOn(
  last: string,
  { found, times, count }: Record<'found' | 'times' | 'count', string | number>,
) {
  if (times === 'unknown') return `${last} is no weak mode: oauth-lab weak list has their names.`
  if (times === 'right') return `Right: ${found}. One more defence is missing.`
  return times === 'again'
    ? `Still not ${last}. Which name of oauth-lab weak list would make exactly these findings? ${count} so far.`
    : `${last} is in its place: ${count} so far.`
}

/** Done when both missing defences were named. */
const named: Check = (_, { answers, hidden = [] }) => {
  const { words, found, falseAlarms } = judgeAnswers(hidden, answers, WEAK_NAMES)
  const last = words.at(-1)
  if (last === undefined) return { done: false, why: NO_ANSWER, events: [] }
  if (hidden.length > 0 && found.length === hidden.length) return { done: true, events: [] }
  const typed = words.filter(word => word === last).length
  const kind = found.includes(last)
    ? 'right'
    : !falseAlarms.includes(last)
      ? 'unknown'
      : typed >= 3
        ? 'again'
        : 'alarm'
  const why = sentenceOn(last, { found: found.join(' and '), times: kind, count: alarms({ falseAlarms }) })
  return { done: false, why, events: [] }
}

export const lesson: Lesson = {
  name: '27-examine',
  title: 'Examine a server that nobody describes',
  minutes: 10,
  after: ['10-resource-server', '11-audience'],
  needs: { client: 'demo', user: 'alice', hidden: true },
  opening: [
    'A server is deployed, and somebody asks: is it all right? This lab lacks two defences, one in its authorization server and one in its resource server. Its pages say that it is weak, and not how. oauth-lab doctor logs in, sends each wrong request of the course, and reports each one that was not refused.',
  ],
  prediction: {
    question:
      'An examination sends a hundred wrong requests to a server, and each one is refused. What do you know then?',
    options: [
      {
        text: 'The server is safe.',
        misconception: 'own: a test that finds nothing proves that nothing is there',
        reply: 'It refused these hundred. Consent pages, rotation and clients were hardly touched.',
      },
      {
        text: 'It refuses these hundred. What was not tried is not known.',
        reply: 'So a report says what it tried, and a person goes on where it ends.',
      },
      {
        text: 'Nothing new: it has https and a good certificate, and that was to be seen before.',
        misconception: 'https-is-enough',
        reply: 'TLS protects the way there. Each of the wrong requests came by TLS, too.',
      },
    ],
  },
  tasks: [
    {
      name: 'examine',
      say: ['Examine the lab, which takes half a minute:', `  ${DOCTOR}`],
      check: examined,
      mistakes: [],
      hints: {
        question: 'Which of the two servers would refuse a token, and which one a request for a code?',
        place: 'The lines with ✗: a move, the section that it breaks, and what the server answered.',
        line: DOCTOR,
      },
      solutions: { cli: [DOCTOR], curl: [] },
      nearMisses: [
        { name: 'the keys alone', lines: [`${DOCTOR} --only keys`], why: SAW_NOTHING },
        { name: 'the resource server alone', lines: [`${DOCTOR} --only resource`], why: SAW_PART },
        {
          name: 'no examination',
          lines: ['oauth-lab flow code --client demo --user alice'],
          why: NOT_EXAMINED,
        },
      ],
    },
    {
      name: 'name',
      say: [
        'Which two defences are missing? One cause may have several findings. Answer with names of oauth-lab weak list. A wrong name is a false alarm, and is counted:',
        `  ${ANSWER} code-reuse`,
      ],
      check: named,
      mistakes: [],
      hints: {
        question: 'Which single check, if it were gone, would let exactly these moves pass?',
        place: 'The names of the findings, and the sentences of oauth-lab weak list about the same request.',
        line: 'oauth-lab weak list',
      },
      solutions: { cli: [`${ANSWER} "{hidden}"`], curl: [] },
      nearMisses: [
        {
          name: 'a false alarm',
          lines: [`${ANSWER} no-mask`],
          why: 'no-mask is in its place: 1 false alarm so far.',
        },
        {
          name: 'a false alarm beside the right names, but one',
          lines: [`set -- {hidden}`, `${ANSWER} "$1 saml-wrapping"`],
          why: 'saml-wrapping is in its place: 1 false alarm so far.',
        },
        {
          name: 'a finding instead of its cause',
          lines: [`${ANSWER} unregistered-redirect-uri`],
          why: 'unregistered-redirect-uri is no weak mode: oauth-lab weak list has their names.',
        },
      ],
    },
  ],
  explanation: [
    'A finding is a symptom: a wrong request that was not refused. Its cause is one missing check, and one missing check shows in several findings. To name the cause is to know what to mend. A false alarm costs the time of somebody who searches for a fault that is not there.',
    'The examination does not see everything. It finds neither a refresh token that is never rotated, nor a client that compares no state.',
  ],
  remember: [
    'Examine what you run, again after each change: oauth-lab doctor in CI fails the build at a fault.',
    'No finding means: not found by these requests.',
  ],
  rule: 'RFC 9700 §2.1',
  stretch: [
    'Repeat one finding yourself: oauth-lab flow with --tamper and the name of the finding. What does the answer look like at a strict lab?',
  ],
}
