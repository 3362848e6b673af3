import { Command, Option } from 'commander'
import { COURSE_NAMES } from '../learn/courses.js'
import { wholeSeed } from './flow/repeat-options.js'
import { examples } from './program/examples.js'
import { type Globals, readGlobals, withGlobals } from './program/globals.js'

/** The action of a subcommand. Options that were typed before its name count as well. */
const learning =
  <Given extends unknown[], Flags>(
    load: () => Promise<(...given: [...Given, Flags, Globals]) => Promise<number>>,
  ) =>
  async (...given: [...Given, Flags, Command]): Promise<void> => {
    const command = given.at(-1) as Command
    const run = await load()
    const words = given.slice(0, -2) as Given
    process.exitCode = await run(...words, command.optsWithGlobals() as Flags, readGlobals(command))
  }

function learnCommandOf(
  name: string,
  description: string,
  lines: readonly string[],
  codes?: string,
): Command {
  return withGlobals(new Command(name))
    .description(description)
    .option('--lessons <dir>', 'lessons of a teacher: a folder of YAML files [OAUTH_LAB_LESSONS]')
    .option('--plain', 'print lines, and wait for nothing')
    .option('--screen-reader', 'print sentences one after the other; draw no screen')
    .addOption(
      new Option('--learner <name>', 'keep the progress of several learners apart').env('OAUTH_LAB_LEARNER'),
    )
    .addHelpText('after', examples(lines, codes))
}

const courseOption = (command: Command): Command =>
  command.addOption(new Option('--course <name>', 'lessons for the time that there is').choices(COURSE_NAMES))

const watchOption = (command: Command): Command =>
  command
    .option('--watch', 'wait for success and report it at once (default on a terminal)')
    .option('--no-watch', 'print the verdict and end')

/** `oauth-lab learn`: lessons that check themselves by the events of the lab. */
export function learnCommand(): Command {
  const learn = courseOption(
    learnCommandOf('learn', 'lessons that check themselves by what the servers saw', [
      'oauth-lab learn                        go on, or begin',
      'oauth-lab learn list',
      'oauth-lab learn start 00-printing-service',
      'oauth-lab learn check',
      'oauth-lab learn hint',
      'oauth-lab learn --course 45m',
    ]),
  ).action(learning(async () => (await import('./learn/home.js')).runLearn))
  learn.addCommand(
    courseOption(
      learnCommandOf('list', 'list the lessons, and which are done', [
        'oauth-lab learn list',
        'oauth-lab learn list --course 90m --json',
      ]),
    ).action(learning(async () => (await import('./learn/list.js')).runList)),
  )
  learn.addCommand(
    watchOption(
      learnCommandOf('start', 'start a lesson: by name, by number, or the next one', [
        'oauth-lab learn start',
        'oauth-lab learn start 4',
        'oauth-lab learn start 00-printing-service --user bob',
        'oauth-lab learn start capstone-server',
      ]),
    )
      .argument('[lesson]', 'name or number of the lesson, or name of a capstone')
      .addOption(
        new Option(
          '--seed <number>',
          'draw a capstone or lesson 27 by this seed (default: by the name of the learner)',
        ).argParser(wholeSeed),
      )
      .option('--reset', 'begin a capstone again, and write over its file')
      .option('--client <name>', 'the client whose events count, when several learn on one lab')
      .option('--user <name>', 'the user whose events count, when several learn on one lab')
      .action(learning(async () => (await import('./learn/start.js')).runStart)),
  )
  learn.addCommand(
    watchOption(
      learnCommandOf(
        'check',
        'judge the task by the events of the lab',
        [
          'oauth-lab learn check',
          'oauth-lab learn check --answer "the browser"',
          'oauth-lab learn check --json',
          'oauth-lab learn check -- node client.mjs',
        ],
        '0 the task is done, 1 it is not',
      ),
    )
      .argument('[command...]', 'the command of your own client, where the task probes it; after --')
      .option('--answer <text>', 'the answer to the question of the task')
      .action(learning(async () => (await import('./learn/check.js')).runCheck)),
  )
  learn.addCommand(
    learnCommandOf('answer', 'answer the question that the lesson asks, such as its prediction', [
      'oauth-lab learn answer b',
      'oauth-lab learn answer code-reuse        in a capstone',
    ])
      .argument('<text...>', 'the answer')
      .action(learning(async () => (await import('./learn/answer.js')).runAnswer)),
  )
  learn.addCommand(
    learnCommandOf('hint', 'give the next hint: a question, then the place, then the line', [
      'oauth-lab learn hint',
    ]).action(learning(async () => (await import('./learn/help.js')).runHint)),
  )
  learn.addCommand(
    learnCommandOf('solution', 'show the solution of the task, with oauth-lab and with curl', [
      'oauth-lab learn solution',
    ]).action(learning(async () => (await import('./learn/help.js')).runSolution)),
  )
  learn.addCommand(
    learnCommandOf(
      'explain',
      'show the events behind the verdict, and the explanation of a lesson that is done',
      ['oauth-lab learn explain'],
    ).action(learning(async () => (await import('./learn/help.js')).runExplain)),
  )
  learn.addCommand(
    learnCommandOf('new', 'write the beginning of a client of your own, or of a lesson, into a folder', [
      'oauth-lab learn new',
      'oauth-lab learn new my-lessons',
      'oauth-lab learn new --language python',
      'oauth-lab learn new --lesson 5 -o my-client.mjs',
    ])
      .argument('[dir]', 'a folder: write a lesson into it; left out: write a client')
      .addOption(
        new Option('--language <name>', 'language of the client')
          .choices(['javascript', 'python', 'shell', 'go'])
          .default('javascript'),
      )
      .option(
        '--lesson <number>',
        'with the checks of the lessons before this one (default: the present lesson)',
      )
      .option('-o, --output <file>', 'the file (default: client.mjs, client.py, client.sh or client.go)')
      .action(learning(async () => (await import('./learn/new.js')).runNew)),
  )
  learn.addCommand(
    learnCommandOf(
      'test',
      'prove lessons: every solution must pass, every near miss must fail with its sentence',
      ['oauth-lab learn test my-lessons'],
      '0 every lesson is proved, 1 one is not',
    )
      .argument('<dir>', 'a folder of lessons')
      .action(learning(async () => (await import('./learn/test.js')).runTest)),
  )
  learn.addCommand(
    learnCommandOf('review', 'ask a task of an earlier lesson again, after 1, 7 and 30 days', [
      'oauth-lab learn review',
    ]).action(learning(async () => (await import('./learn/review.js')).runReview)),
  )
  learn.addCommand(
    learnCommandOf('progress', 'show what was done, and how', [
      'oauth-lab learn progress',
      'oauth-lab learn progress --json',
      'oauth-lab learn progress --markdown > certificate.md',
    ])
      .option('--markdown', 'print a certificate of what was shown')
      .action(learning(async () => (await import('./learn/list.js')).runProgress)),
  )
  learn.addCommand(
    learnCommandOf('word', 'explain a word of the trade; without one, list them', [
      'oauth-lab learn word',
      'oauth-lab learn word nonce',
      "oauth-lab learn word 'resource owner' --json",
    ])
      .argument('[term...]', 'the word')
      .action(learning(async () => (await import('./learn/word.js')).runWord)),
  )
  learn.addCommand(
    learnCommandOf('reset', 'forget the progress of a lesson, or of all', [
      'oauth-lab learn reset 00-printing-service',
      'oauth-lab learn reset',
    ])
      .argument('[lesson]', 'name or number of the lesson')
      .action(learning(async () => (await import('./learn/reset.js')).runReset)),
  )
  return learn
}
