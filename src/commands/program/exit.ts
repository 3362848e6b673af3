/** Exit codes of every command (see the README, "Exit codes"). */
export const EXIT = {
  done: 0,
  refused: 1,
  usage: 2,
  transport: 3,
  bug: 70,
  timeout: 124,
  interrupted: 130,
  terminated: 143,
} as const
