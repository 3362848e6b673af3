import { parseDuration } from '../lab/lab-file/duration.js'
import { COURSE_NAMES } from '../learn/courses.js'
import { option } from '../session/options/option.js'
import { command, examples } from './program/command.js'
import { everywhere } from './program/globals.js'
import { portOption } from './serve/listen-options.js'

const course = option('--course <name>', 'lessons for the time that there is', { choices: COURSE_NAMES })
const place = [
  option(
    '--address <address>',
    'the address of this computer that participants type (default: the only one)',
  ),
  portOption('--port <port>', 'HTTPS port of the room, 0 for a free one', 8448),
  portOption('--http-port <port>', 'plain port with the page that says how to join, 0 for a free one', 8447),
]
/** Milliseconds, an hour at most; undefined for another text. */
const waitTime = (text: string): number | undefined => {
  const ms = parseDuration(text)
  return ms !== undefined && ms <= 3_600_000 ? ms : undefined
}
const lessons = option('--lessons <dir>', 'your own lessons, which participants get: a folder of YAML files')

/** `oauth-lab workshop`: the teacher's side of a room. */
export const workshopCommand = command('workshop', {
  description: 'open a room: everybody learns on their own computer, you see all of them and lead',
  options: [
    ...everywhere,
    lessons,
    course,
    option('--name <name>', 'the name of the room (default: Workshop)'),
    ...place,
    option(
      '--lab',
      'start a lab for the whole room, with a client, a user and a cluster account for each participant',
    ),
    option('--plain', 'print one line for each fact; draw no screen'),
  ],
  kind: 'alone',
  help: examples([
    'oauth-lab workshop --course 90m',
    'oauth-lab workshop --lessons my-lessons --name "Monday group"',
    'oauth-lab workshop --address 192.0.2.7',
    'oauth-lab workshop --lab               one scene together: participants add --server room',
    'oauth-lab workshop check',
    'oauth-lab workshop report --format csv > monday.csv',
  ]),
  run: async () => (await import('./workshop/run.js')).runWorkshop,
  below: [
    command('check', {
      description: 'find out, before the day, if others can join at this computer',
      options: [
        ...everywhere,
        lessons,
        course,
        ...place,
        option('--lab', 'check the ports of a lab for the whole room too'),
        option(
          '--wait <duration>',
          'wait for a second computer (default: a minute on a terminal, else not)',
          {
            parse: waitTime,
            expected: 'Write it as 90s or 5m.',
          },
        ),
      ],
      kind: 'heir',
      help: examples(
        [
          'oauth-lab workshop check',
          'oauth-lab workshop check --address 192.0.2.7 --json',
          'oauth-lab workshop check --lab --wait 5m',
        ],
        '0 nothing speaks against it, 1 something does',
      ),
      run: async () => (await import('./workshop/check.js')).runCheck,
    }),
    command('rehearse', {
      description: 'see the board with ten simulated pupils, before the day',
      options: [
        ...everywhere,
        lessons,
        course,
        ...place,
        option('--speed <factor>', 'how many times faster than in a class', {
          parse: (text: string) => {
            const factor = Number(text)
            return factor >= 0.1 && factor <= 1000 ? factor : undefined
          },
          expected: 'Write a number from 0.1 to 1000.',
          fallback: 10,
        }),
      ],
      kind: 'heir',
      help: examples(['oauth-lab workshop rehearse', 'oauth-lab workshop rehearse --course 45m --speed 30']),
      run: async () => (await import('./workshop/rehearse.js')).runRehearse,
    }),
    command('report', {
      description: 'print what the people of the room did: tasks, help, predictions',
      options: [
        ...everywhere,
        option('--format <form>', 'csv has a row for each task of each person', {
          choices: ['md', 'csv', 'json'],
          fallback: 'md',
        }),
      ],
      help: examples(['oauth-lab workshop report', 'oauth-lab workshop report --format csv > monday.csv']),
      run: async () => (await import('./workshop/report.js')).runReport,
    }),
    command('forget', {
      description: 'remove the room with its people, their progress and its code',
      options: [...everywhere, option('--yes', 'do not ask; required without a terminal')],
      help: examples(['oauth-lab workshop forget', 'oauth-lab workshop forget --yes']),
      run: async () => (await import('./workshop/report.js')).runForget,
    }),
  ],
})
