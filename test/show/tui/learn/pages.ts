import type { Course, LessonPage, SeenEvent } from '../../../../src/show/tui/learn/content.js'

/** A course with every mark. */
export const COURSE: Course = {
  rows: [
    {
      ...{
        name: '00-printing',
        title: 'The printing service',
        minutes: 5,
        part: 'Foundations',
        mark: 'done',
      },
      missing: [],
      about: ['2 tasks, 5 minutes. Rule: RFC 9700 §2.4.', '2 of 2 tasks, done 2026-01-05, 1 hint.'],
    },
    {
      name: '01-who-is-who',
      title: 'Who is who',
      minutes: 7,
      part: 'Foundations',
      mark: 'begun',
      missing: [],
      about: ['3 tasks, 7 minutes. Rule: RFC 6749 §1.1.', '1 of 3 tasks, begun, without help.'],
    },
    {
      name: '04-state',
      title: 'State, and a login of somebody else',
      minutes: 10,
      part: 'Foundations',
      mark: 'next',
      missing: [],
      about: ['1 task, 10 minutes. Rule: RFC 9700 §4.7.1.'],
    },
    {
      name: '07-reading',
      title: 'Reading a token, and why your client never does',
      minutes: 8,
      part: 'Tokens',
      mark: 'open',
      missing: ['01-who-is-who', '04-state'],
      about: ['2 tasks, 8 minutes. Rule: RFC 7519 §3.'],
    },
  ],
  due: ['00-printing'],
}

const OPENING =
  'alice keeps records on a server. A printing service offers to print them. The simple way: alice types her password into the page of the service, and the service logs in as alice. You are the service. First you do it with the password, then without.'

const QUESTION = 'alice gave the service her password. What can it do from now on?'

const OPTIONS = [
  'Read her records, because that is what she gave the password for.',
  'Everything that alice can do, until she changes her password. Nothing in the request says anything else.',
  'Nothing that could hurt, because the connection is encrypted.',
]

const LINE = 'oauth-lab flow password --client demo-legacy --user alice'

const KNOWN = { name: '00-printing', title: '0: The printing service', who: 'client demo-legacy, user alice' }

const NOTHING = { options: [], lines: [], anchor: 0, newest: 0 }

export const PREDICT: LessonPage = {
  ...KNOWN,
  ...NOTHING,
  phase: 'predict',
  place: '5 min',
  options: OPTIONS,
  sections: [
    { title: 'Lesson 0: The printing service (5 minutes)', texts: [OPENING] },
    { title: 'First predict', texts: [QUESTION] },
  ],
}

const ABOVE = [
  { title: 'The lesson', texts: [OPENING] },
  { title: 'You predict', texts: [`a) ${OPTIONS[0]}`, 'The lesson comes back to it at its end.'] },
]

const SAID = {
  title: 'Task 1 of 2',
  texts: ['Be the service, and log in with the password that alice typed. Type:', `  ${LINE}`],
}

export const TASK: LessonPage = {
  ...KNOWN,
  ...NOTHING,
  phase: 'task',
  place: 'task 1 of 2',
  lines: [LINE],
  sections: [...ABOVE, SAID],
  anchor: 2,
  newest: 2,
}

export const HELPED: LessonPage = {
  ...TASK,
  sections: [
    ...TASK.sections,
    { title: 'Hint 1 of 3: a question', texts: ['Which message carries the password, and who sends it?'] },
    { title: 'Hint 2 of 3: the place', texts: ['The grant "password": one POST to /token by the client.'] },
    {
      title: 'Solution',
      texts: [
        'With oauth-lab:',
        `  ${LINE}`,
        '',
        'With curl:',
        '  curl -s --cacert "$CA" -d x=y "$LAB/token"',
      ],
    },
  ],
  newest: 5,
}

export const PASSED: LessonPage = {
  ...TASK,
  phase: 'passed',
  sections: [
    ...TASK.sections,
    {
      title: 'Done: task 1 of 2, password',
      texts: [
        'The servers saw it:',
        '- 14:03:11 token.issued: Signed and issued an access token. RFC 6749 §5.1.',
      ],
      tone: 'done',
    },
  ],
  newest: 3,
}

export const END: LessonPage = {
  ...KNOWN,
  ...NOTHING,
  phase: 'end',
  place: 'done',
  next: '01-who-is-who',
  sections: [
    {
      title: 'You predicted a. It was b.',
      tone: 'look',
      texts: [
        QUESTION,
        `- You: a) ${OPTIONS[0]}`,
        'A password has no limits inside it.',
        'The misconception scope-is-what-the-user-may: "The scope says what the user is allowed to do."',
        `- It was: b) ${OPTIONS[1]}`,
      ],
    },
    {
      title: 'What really happened',
      texts: [
        'Task password was done. The servers saw:',
        '- 14:03:11 token.issued: Signed and issued an access token. RFC 6749 §5.1.',
      ],
    },
    { title: 'Why', texts: ['Both runs ended with a token. In the first, the service knew the password.'] },
    {
      title: 'Remember',
      texts: ['- A password is everything, for everybody who has it.', 'Rule: RFC 9700 §2.4'],
    },
    {
      title: 'The same without the defence (no-state)',
      texts: [
        'w runs it, and one key there switches the defence on again:',
        '  oauth-lab attack run login-csrf',
      ],
    },
  ],
  weakLine: 'oauth-lab attack run login-csrf',
}

const event = (time: string, type: string, says: string, details: string): SeenEvent => {
  return { time, type, says, details, refused: type.endsWith('refused'), behind: type === 'token.issued' }
}

export const EVENTS: readonly SeenEvent[] = [
  event(
    '14:03:02',
    'password.refused',
    'Refused the password. RFC 6749 §4.3.2.',
    'username=alice reason=credentials',
  ),
  event('14:03:02', 'request.answered', '', '400  POST /token  demo-legacy  121 B  3 ms'),
  event(
    '14:03:11',
    'token.issued',
    'Signed and issued an access token. RFC 6749 §5.1.',
    'client_id=demo-legacy username=alice grant_type=password scope=records access_token=eyJh…k3V9 expires_in=3600',
  ),
  event('14:03:11', 'request.answered', '', '200  POST /token  demo-legacy  887 B  11 ms'),
]
