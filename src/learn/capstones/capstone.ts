/** In the order of the course. */
export const CAPSTONE_NAMES = ['capstone-log', 'capstone-client', 'capstone-server'] as const

export type CapstoneName = (typeof CAPSTONE_NAMES)[number]

/** A task without instructions at the end of a part, drawn by a seed. */
export interface Capstone {
  readonly name: CapstoneName
  readonly title: string
  readonly minutes: number
  /** The number of the last lesson of its part. */
  readonly part: number
  readonly after: readonly string[]
  readonly say: readonly string[]
}

/** In the order of the course. */
export const CAPSTONES: readonly Capstone[] = [
  {
    name: 'capstone-log',
    title: 'A log of 40 events with one theft in it',
    minutes: 20,
    part: 13,
    after: ['06-one-use', '10-resource-server', '12-refresh', '13-revocation'],
    say: [
      'The file holds 40 events of a lab, one a line, oldest first. Most people in it are honest, and some attempts were refused. One theft succeeded.',
      'Answer three questions, each with oauth-lab learn answer: when was it (the line of the event by which the thief got in), by whom (an address, a client or a user), and which defence was missing (its name in oauth-lab weak list).',
      'Wrong answers are false alarms. They are counted.',
    ],
  },
  {
    name: 'capstone-client',
    title: 'A client with four faults',
    minutes: 40,
    part: 15,
    after: ['03-registered-addresses', '04-state', '05-pkce', '06-one-use', '12-refresh', '14-id-token'],
    say: [
      'The file is a client that logs people in and reads their records. It works, and it has four faults that an attacker could use. Find and mend them.',
      'oauth-lab learn check runs it at a lab of its own, as honest people and as an attacker. It says how many properties do not hold, and not which ones.',
      'The client may be written again, in any language: oauth-lab learn check -- COMMAND. It keeps its addresses, which the top of the file describes.',
    ],
  },
  {
    name: 'capstone-server',
    title: 'A weak server that nobody describes',
    minutes: 40,
    part: 20,
    after: ['10-resource-server', '12-refresh', '14-id-token', '16-implicit'],
    say: [
      'The lab is weak on purpose: three defences are missing, in its authorization server, its resource server or its demo client. Nothing in it says which.',
      'Examine it with any tool: oauth-lab flow, --tamper, curl, a browser. Name each missing defence as in oauth-lab weak list:',
      '  oauth-lab learn answer code-reuse',
      'Wrong answers are false alarms. They are counted.',
    ],
  },
]

export const capstoneNamed = (name: string): Capstone | undefined =>
  CAPSTONES.find(each => each.name === name.toLowerCase())
