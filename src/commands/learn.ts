import { Command, Option } from 'commander'
import { examples } from './examples.js'
import { withGlobals } from './globals.js'
import { lazilyExiting } from './lazily.js'

function learnCommandOf(
  name: string,
  description: string,
  lines: readonly string[],
  codes?: string,
): Command {
  return withGlobals(new Command(name))
    .description(description)
    .option('--lessons <dir>', 'lessons of a teacher: a folder of YAML files [OAUTH_LAB_LESSONS]')
    .addOption(
      new Option('--learner <name>', 'keep the progress of several learners apart').env('OAUTH_LAB_LEARNER'),
    )
    .addHelpText('after', examples(lines, codes))
}

const watchOption = (command: Command): Command =>
  command
    .option('--watch', 'wait for success and report it at once (default on a terminal)')
    .option('--no-watch', 'print the verdict and end')

/** `oauth-lab learn`: lessons that check themselves by the events of the lab. */
export function learnCommand(): Command {
  const learn = learnCommandOf('learn', 'lessons that check themselves by what the servers saw', [
    'oauth-lab learn                        go on, or begin',
    'oauth-lab learn list',
    'oauth-lab learn start 00-printing-service',
    'oauth-lab learn check',
    'oauth-lab learn hint',
  ]).action(lazilyExiting(async () => (await import('./learn/home.js')).runLearn))
  learn.addCommand(
    learnCommandOf('list', 'list the lessons, and which are done', [
      'oauth-lab learn list',
      'oauth-lab learn list --json',
    ]).action(lazilyExiting(async () => (await import('./learn/list.js')).runList)),
  )
  learn.addCommand(
    watchOption(
      learnCommandOf('start', 'start a lesson: by name, by number, or the next one', [
        'oauth-lab learn start',
        'oauth-lab learn start 4',
        'oauth-lab learn start 00-printing-service --user bob',
      ]),
    )
      .argument('[lesson]', 'name or number of the lesson')
      .option('--client <name>', 'the client whose events count, when several learn on one lab')
      .option('--user <name>', 'the user whose events count, when several learn on one lab')
      .action(lazilyExiting(async () => (await import('./learn/start.js')).runStart)),
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
      .action(lazilyExiting(async () => (await import('./learn/check.js')).runCheck)),
  )
  learn.addCommand(
    learnCommandOf('answer', 'answer the question that the lesson asks, such as its prediction', [
      'oauth-lab learn answer b',
    ])
      .argument('<text...>', 'the answer')
      .action(lazilyExiting(async () => (await import('./learn/answer.js')).runAnswer)),
  )
  learn.addCommand(
    learnCommandOf('hint', 'give the next hint: a question, then the place, then the line', [
      'oauth-lab learn hint',
    ]).action(lazilyExiting(async () => (await import('./learn/help.js')).runHint)),
  )
  learn.addCommand(
    learnCommandOf('solution', 'show the solution of the task, with oauth-lab and with curl', [
      'oauth-lab learn solution',
    ]).action(lazilyExiting(async () => (await import('./learn/help.js')).runSolution)),
  )
  learn.addCommand(
    learnCommandOf(
      'explain',
      'show the events behind the verdict, and the explanation of a lesson that is done',
      ['oauth-lab learn explain'],
    ).action(lazilyExiting(async () => (await import('./learn/help.js')).runExplain)),
  )
  learn.addCommand(
    learnCommandOf('new', 'write the client of the lessons into a file, as a beginning', [
      'oauth-lab learn new',
      'oauth-lab learn new --language python',
      'oauth-lab learn new --lesson 5 -o my-client.mjs',
    ])
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
      .action(lazilyExiting(async () => (await import('./learn/new.js')).runNew)),
  )
  learn.addCommand(
    learnCommandOf('progress', 'show what was done, and how', [
      'oauth-lab learn progress',
      'oauth-lab learn progress --json',
      'oauth-lab learn progress --markdown > certificate.md',
    ])
      .option('--markdown', 'print a certificate of what was shown')
      .action(lazilyExiting(async () => (await import('./learn/list.js')).runProgress)),
  )
  learn.addCommand(
    learnCommandOf('reset', 'forget the progress of a lesson, or of all', [
      'oauth-lab learn reset 00-printing-service',
      'oauth-lab learn reset',
    ])
      .argument('[lesson]', 'name or number of the lesson')
      .action(lazilyExiting(async () => (await import('./learn/reset.js')).runReset)),
  )
  return learn
}
