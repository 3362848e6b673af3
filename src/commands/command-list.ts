import { reporting } from './learn/report.js'
import type { CommandRow } from './program/command.js'

/** A command as the help lists it, and how to load it: only the one that was typed is. */
export interface ListedCommand {
  readonly name: string
  readonly summary: string
  readonly load: () => Promise<CommandRow>
}

/** Commands by what a person wants. */
interface CommandGroup {
  readonly title: string
  /** The commands that people begin with. */
  readonly first: readonly ListedCommand[]
  readonly more: readonly ListedCommand[]
}

/** Every command once. The help, the menu, completion and the documents have this order. */
export const commandGroups: readonly CommandGroup[] = [
  {
    title: 'See a login',
    first: [
      {
        name: 'flow',
        summary: 'be a client, step by step: flow code, flow refresh, flow mcp URL',
        load: async () => reporting((await import('./flow.js')).flowCommand),
      },
      {
        name: 'serve',
        summary: 'start the lab: servers on https://localhost:8443, and what they do',
        load: async () => (await import('./serve.js')).serveCommand,
      },
    ],
    more: [
      {
        name: 'resource',
        summary: 'start a resource server in front of any authorization server',
        load: async () => (await import('./serve.js')).resourceCommand,
      },
      {
        name: 'call',
        summary: 'send a request to an API with a token that is kept and renewed',
        load: async () => (await import('./endpoints.js')).callCommand,
      },
      {
        name: 'token',
        summary: 'the tokens that call keeps: list, show, forget',
        load: async () => (await import('./endpoints.js')).tokenCommand,
      },
      {
        name: 'userinfo',
        summary: 'ask the server about the person of a token',
        load: async () => (await import('./endpoints.js')).userinfoCommand,
      },
      {
        name: 'introspect',
        summary: 'ask the server if a token is active',
        load: async () => (await import('./endpoints.js')).introspectCommand,
      },
      {
        name: 'revoke',
        summary: 'end a token at its server',
        load: async () => (await import('./endpoints.js')).revokeCommand,
      },
      {
        name: 'register',
        summary: 'register a client at a server; read, update, delete it',
        load: async () => (await import('./endpoints.js')).registerCommand,
      },
      {
        name: 'logout',
        summary: 'the address at which a browser ends its session',
        load: async () => (await import('./endpoints.js')).logoutCommand,
      },
    ],
  },
  {
    title: 'Learn',
    first: [
      {
        name: 'learn',
        summary: 'lessons that check themselves by what the servers saw',
        load: async () => reporting((await import('./learn.js')).learnCommand, true),
      },
      {
        name: 'attack',
        summary: 'attacks on a weak lab, and the checks that stop them',
        load: async () => reporting((await import('./attack.js')).attackCommand),
      },
    ],
    more: [
      {
        name: 'join',
        summary: 'join the room of a teacher, who sees how far you are',
        load: async () => (await import('./join.js')).joinCommand,
      },
      {
        name: 'leave',
        summary: 'leave the room of a teacher',
        load: async () => (await import('./join.js')).leaveCommand,
      },
      {
        name: 'workshop',
        summary: 'lead a room of people who learn, each on their own computer',
        load: async () => (await import('./workshop.js')).workshopCommand,
      },
      {
        name: 'rules',
        summary: 'rules of the RFCs, and where the lab keeps them',
        load: async () => (await import('./rules.js')).rulesCommand,
      },
      {
        name: 'tamper',
        summary: 'wrong moves by name, each with the refusal it expects',
        load: async () => (await import('./tamper.js')).tamperCommand,
      },
      {
        name: 'weak',
        summary: 'defences that serve --weak switches off on purpose',
        load: async () => (await import('./rules.js')).weakCommand,
      },
    ],
  },
  {
    title: 'Find the fault',
    first: [
      {
        name: 'explain',
        summary: 'what is wrong with an address, an answer, a token or a recording',
        load: async () => (await import('./play.js')).explainCommand,
      },
      {
        name: 'doctor',
        summary: 'examine an authorization server by the RFCs',
        load: async () => (await import('./doctor.js')).doctorCommand,
      },
      {
        name: 'jwt',
        summary: 'decode, verify, sign or decrypt a token',
        load: async () => (await import('./jose.js')).jwtCommand,
      },
    ],
    more: [
      {
        name: 'record',
        summary: 'record the logins of a Node.js program or a browser',
        load: async () => (await import('./play.js')).recordCommand,
      },
      {
        name: 'play',
        summary: 'show a recorded flow again, or write it in another form',
        load: async () => (await import('./play.js')).playCommand,
      },
      {
        name: 'saml',
        summary: 'decode a SAML message, and verify its signatures',
        load: async () => (await import('./jose.js')).samlCommand,
      },
      {
        name: 'jwk',
        summary: 'make keys, and write them in other forms',
        load: async () => (await import('./jose.js')).jwkCommand,
      },
      {
        name: 'discover',
        summary: 'the metadata of a server: both documents side by side, checked',
        load: async () => (await import('./endpoints.js')).discoverCommand,
      },
    ],
  },
  {
    title: 'Kubernetes, DNS, compression',
    first: [
      {
        name: 'k8s',
        summary: 'Kubernetes service account tokens: request, review, explain',
        load: async () => (await import('./k8s.js')).k8sCommand,
      },
      {
        name: 'cf',
        summary: 'DNS records and security events: list, change, watch',
        load: async () => (await import('./cf.js')).cfCommand,
      },
      {
        name: 'compress',
        summary: 'content codings, byte by byte, and how proxies treat them',
        load: async () => (await import('./compress.js')).compressCommand,
      },
    ],
    more: [],
  },
  {
    title: 'Set up',
    first: [
      {
        name: 'connect',
        summary: 'settings with which another program logs in to the lab',
        load: async () => (await import('./connect.js')).connectCommand,
      },
      {
        name: 'ca',
        summary: 'the certificate authority that clients have to trust',
        load: async () => (await import('./ca.js')).caCommand,
      },
    ],
    more: [
      {
        name: 'config',
        summary: 'the lab file: clients, users, scopes, lifetimes',
        load: async () => (await import('./config.js')).configCommand,
      },
      {
        name: 'keys',
        summary: 'the keys that sign tokens: list, rotate, export',
        load: async () => (await import('./keys.js')).keysCommand,
      },
      {
        name: 'user',
        summary: 'one-time codes of the users of the lab file',
        load: async () => (await import('./config.js')).userCommand,
      },
      {
        name: 'client-document',
        summary: 'the document of a client whose client_id is its address',
        load: async () => (await import('./serve.js')).clientDocumentCommand,
      },
      {
        name: 'completion',
        summary: 'make a shell complete commands, options and names',
        load: async () => (await import('./completion.js')).completionCommand,
      },
      {
        name: 'version',
        summary: 'print the version, and what is bundled',
        load: async () => (await import('./config.js')).versionCommand,
      },
    ],
  },
]

/** Every command, with the group that it is in. */
export const commandList: readonly (ListedCommand & { readonly group: string })[] = commandGroups.flatMap(
  ({ title: group, first, more }) => [...first, ...more].map(each => ({ ...each, group })),
)
