import { option } from '../session/options/option.js'
import { argument, command, examples } from './program/command.js'
import { everywhere } from './program/globals.js'

const learner = option('--learner <name>', 'the learner who is in the room, where several share a computer', {
  env: 'OAUTH_LAB_LEARNER',
})

/** `oauth-lab join`: into the room of a teacher. */
export const joinCommand = command('join', {
  description:
    'join the room of a teacher: from then on learn, attack and flow report what you do in the lessons',
  words: [
    argument('[address]', 'the address on the teacher’s screen'),
    argument('[code...]', 'the code on the teacher’s screen'),
  ],
  options: [
    ...everywhere,
    option('--as <name>', 'your name on the teacher’s board; two at one keyboard: "Dora and Tom"'),
    option('--show', 'print each fact that was sent, and those that wait'),
    learner,
  ],
  help: examples([
    'oauth-lab join 192.0.2.7:8448 K7QM-3D9X-0ABC-DEFG-HJKM-NPQR --as Dora',
    'oauth-lab join --show                  each fact that was sent',
    'oauth-lab join --show --json | jq -r .fact',
  ]),
  run: async () => (await import('./join/run-join.js')).runJoin,
})

/** `oauth-lab leave`: out of the room. */
export const leaveCommand = command('leave', {
  description: 'leave the room of a teacher: nothing is sent any more',
  options: [...everywhere, learner],
  help: examples(['oauth-lab leave', 'oauth-lab leave --json']),
  run: async () => (await import('./join/run-leave.js')).runLeave,
})
