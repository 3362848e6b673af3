/** A page of help that is about no single command. */
export interface Topic {
  readonly name: string
  readonly summary: string
  readonly lines: () => Promise<readonly string[]>
}

/** Every topic of `oauth-lab help`, in its order. */
export const topics: readonly Topic[] = [
  {
    name: 'stages',
    summary: 'how far the authorization server is built',
    lines: async () => (await import('./help-topics.js')).stagesTopic(),
  },
  {
    name: 'profiles',
    summary: 'by the RFCs, or as the reference does',
    lines: async () => (await import('./help-topics.js')).profilesTopic(),
  },
  {
    name: 'exit-codes',
    summary: 'what a command ends with',
    lines: async () => (await import('./help-topics.js')).exitCodesTopic(),
  },
  {
    name: 'environment',
    summary: 'variables that are read',
    lines: async () => (await import('./help-topics.js')).environmentTopic(),
  },
  {
    name: 'events',
    summary: 'what happens on a lab, by name',
    lines: async () => (await import('./help-topics.js')).eventsTopic(),
  },
]
