import { COURSE_NAMES } from '../learn/courses.js'
import { option } from '../session/options/option.js'
import { seedOption } from '../session/options/table.js'
import { argument, command, examples } from './program/command.js'
import { everywhere } from './program/globals.js'

const every = [
  ...everywhere,
  option('--lessons <dir>', 'lessons of a teacher: a folder of YAML files, or built-in [OAUTH_LAB_LESSONS]'),
  option('--plain', 'print lines, and wait for nothing'),
  option('--screen-reader', 'print sentences one after the other; draw no screen'),
  option('--learner <name>', 'keep the progress of several learners apart', { env: 'OAUTH_LAB_LEARNER' }),
]
const course = option('--course <name>', 'lessons for the time that there is', { choices: COURSE_NAMES })
const watch = [
  option('--watch', 'wait for success and report it at once (default on a terminal)'),
  option('--no-watch', 'print the verdict and end', { pair: true }),
]

/** `oauth-lab learn`: lessons that check themselves by the events of the lab. */
export const learnCommand = command('learn', {
  description: 'lessons that check themselves by what the servers saw',
  options: [...every, course],
  kind: 'heir',
  help: examples([
    'oauth-lab learn                        go on, or begin',
    'oauth-lab learn list',
    'oauth-lab learn start 00-printing-service',
    'oauth-lab learn check',
    'oauth-lab learn hint',
    'oauth-lab learn --course 45m',
  ]),
  run: async () => (await import('./learn/home.js')).runLearn,
  below: [
    command('list', {
      description: 'list the lessons, and which are done',
      options: [...every, course],
      kind: 'heir',
      help: examples(['oauth-lab learn list', 'oauth-lab learn list --course 90m --json']),
      run: async () => (await import('./learn/list.js')).runList,
    }),
    command('show', {
      description: 'print the texts of a lesson, or its file, which a teacher may copy and change',
      words: [argument('<lesson>', 'name or number of the lesson')],
      options: [...every, option('--source', 'print the file of the lesson')],
      kind: 'heir',
      help: examples([
        'oauth-lab learn show 4',
        'oauth-lab learn show 04-state --source > my-lessons/01-state.yaml',
      ]),
      run: async () => (await import('./learn/show.js')).runShow,
    }),
    command('teacher', {
      description: 'print one page for a teacher: what a lesson is about, what people get wrong, what to say',
      words: [argument('<lesson>', 'name or number of the lesson')],
      options: every,
      kind: 'heir',
      help: examples(['oauth-lab learn teacher 4', 'oauth-lab learn teacher 04-state --json']),
      run: async () => (await import('./learn/teacher.js')).runTeacher,
    }),
    command('start', {
      description: 'start a lesson: by name, by number, or the next one',
      words: [argument('[lesson]', 'name or number of the lesson, or name of a capstone')],
      options: [
        ...every,
        ...watch,
        seedOption('draw a capstone or lesson 27 by this seed (default: by the name of the learner)'),
        option('--reset', 'begin a capstone again, and write over its file'),
        option('--client <name>', 'the client whose events count, when several learn on one lab'),
        option('--user <name>', 'the user whose events count, when several learn on one lab'),
      ],
      kind: 'heir',
      help: examples([
        'oauth-lab learn start',
        'oauth-lab learn start 4',
        'oauth-lab learn start 00-printing-service --user bob',
        'oauth-lab learn start capstone-server',
      ]),
      run: async () => (await import('./learn/start.js')).runStart,
    }),
    command('check', {
      description: 'judge the task by the events of the lab',
      words: [argument('[command...]', 'the command of your own client, where the task probes it; after --')],
      options: [...every, ...watch, option('--answer <text>', 'the answer to the question of the task')],
      kind: 'heir',
      help: examples(
        [
          'oauth-lab learn check',
          'oauth-lab learn check --answer "the browser"',
          'oauth-lab learn check --json',
          'oauth-lab learn check -- node client.mjs',
          'oauth-lab learn check --watch -- node client.mjs    and again each time you save it',
        ],
        '0 the task is done, 1 it is not',
      ),
      run: async () => (await import('./learn/check.js')).runCheck,
    }),
    command('answer', {
      description: 'answer the question that the lesson asks, such as its prediction',
      words: [argument('<text...>', 'the answer')],
      options: every,
      kind: 'heir',
      help: examples(['oauth-lab learn answer b', 'oauth-lab learn answer code-reuse        in a capstone']),
      run: async () => (await import('./learn/check.js')).runAnswer,
    }),
    command('open', {
      description: 'open an authorization address without a browser: log in, and print where it ends',
      words: [argument('<url>', 'an address of the lab, such as the one that your client prints')],
      options: every,
      kind: 'heir',
      help: examples([
        "oauth-lab learn open 'https://localhost:8443/authorization?response_type=code&client_id=course&redirect_uri=http://127.0.0.1/callback'",
      ]),
      run: async () => (await import('./learn/open.js')).runOpen,
    }),
    command('hint', {
      description: 'give the next hint: a question and where to look, then the line',
      options: every,
      kind: 'heir',
      help: examples(['oauth-lab learn hint']),
      run: async () => (await import('./learn/help.js')).runHint,
    }),
    command('solution', {
      description: 'show the solution of the task, with oauth-lab and with curl',
      options: every,
      kind: 'heir',
      help: examples(['oauth-lab learn solution']),
      run: async () => (await import('./learn/help.js')).runSolution,
    }),
    command('explain', {
      description: 'show the events behind the verdict, and the explanation of a lesson that is done',
      options: every,
      kind: 'heir',
      help: examples(['oauth-lab learn explain']),
      run: async () => (await import('./learn/help.js')).runExplain,
    }),
    command('new', {
      description: 'write the beginning of a client of your own, or of a lesson, into a folder',
      words: [argument('[dir]', 'a folder: write a lesson into it; left out: write a client')],
      options: [
        ...every,
        option('--language <name>', 'language of the client', {
          choices: ['javascript', 'python', 'shell', 'go'],
          fallback: 'javascript',
        }),
        option(
          '--lesson <number>',
          'with the checks of the lessons before this one (default: the present lesson)',
        ),
        option('-o, --output <file>', 'the file (default: client.mjs, client.py, client.sh or client.go)'),
      ],
      kind: 'heir',
      help: examples([
        'oauth-lab learn new',
        'oauth-lab learn new my-lessons',
        'oauth-lab learn new --language python',
        'oauth-lab learn new --lesson 5 -o my-client.mjs',
      ]),
      run: async () => (await import('./learn/new.js')).runNew,
    }),
    command('test', {
      description: 'prove lessons: every solution must pass, every near miss must fail with its sentence',
      words: [argument('<dir>', 'a folder of lessons')],
      options: [
        ...every,
        option('--yes', 'run the lines of the lessons without being asked; required without a terminal'),
      ],
      kind: 'heir',
      help: examples(
        ['oauth-lab learn test my-lessons', 'oauth-lab learn test my-lessons --yes'],
        '0 every lesson is proved, 1 one is not',
      ),
      run: async () => (await import('./learn/test.js')).runTest,
    }),
    command('review', {
      description: 'ask a task of an earlier lesson again, after 1, 7 and 30 days',
      options: every,
      kind: 'heir',
      help: examples(['oauth-lab learn review']),
      run: async () => (await import('./learn/help.js')).runReview,
    }),
    command('progress', {
      description: 'show what was done, and how',
      options: [...every, option('--markdown', 'print a certificate of what was shown')],
      kind: 'heir',
      help: examples([
        'oauth-lab learn progress',
        'oauth-lab learn progress --json',
        'oauth-lab learn progress --markdown > certificate.md',
      ]),
      run: async () => (await import('./learn/list.js')).runProgress,
    }),
    command('word', {
      description: 'explain a word of the trade; without one, list them',
      words: [argument('[term...]', 'the word')],
      options: every,
      kind: 'heir',
      help: examples([
        'oauth-lab learn word',
        'oauth-lab learn word nonce',
        "oauth-lab learn word 'resource owner' --json",
      ]),
      run: async () => (await import('./learn/word.js')).runWord,
    }),
    command('reset', {
      description: 'forget the progress of a lesson, or of all',
      words: [argument('[lesson]', 'name or number of the lesson')],
      options: every,
      kind: 'heir',
      help: examples(['oauth-lab learn reset 00-printing-service', 'oauth-lab learn reset']),
      run: async () => (await import('./learn/list.js')).runReset,
    }),
  ],
})
