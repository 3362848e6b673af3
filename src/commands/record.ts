import { option } from '../session/options/option.js'
import { argument, command } from './program/command.js'
import { everywhere } from './program/globals.js'

/** `oauth-lab record`: records the logins of a program. */
export const recordCommand = command('record', {
  description: 'record the OAuth exchanges of a Node.js program with all that it starts, or of a browser',
  words: [argument('[program...]', 'the program with its arguments, after --')],
  options: [
    ...everywhere,
    option(
      '--browser <url>',
      'open this address in Chromium, Chrome or Edge with a new profile, and record it',
    ),
    option('--headless', 'open the browser without a window'),
    option('-o, --output <file>', 'the recording (default: a new login.har here)'),
    option('--plain', 'print a line for each exchange on stderr (default)'),
  ],
  help: `
Examples:
  oauth-lab record -- node app.js                    a program, and all that it starts
  oauth-lab record -o login.har -- npm run dev       log in, then end it with Ctrl-C
  oauth-lab record --json -- npx next dev 2> lines   a line of JSON for each exchange, on stderr
  oauth-lab record --browser https://app.example     a login in a browser with a new profile
  oauth-lab record --browser http://localhost:3000 -- node app.js
  oauth-lab explain login.har

The program runs as it does without: its input and output, its exit code and signals are its own. The recording holds the
exchanges of OAuth, OpenID Connect and SAML that it sends with fetch, undici or node:http(s), and those that its servers
receive, with codes, tokens and secrets. Only you can read the file. Passwords and one-time codes are not kept.
A browser is recorded until its window is closed or Ctrl-C; with a program, the one that ends first ends the other.

Exit codes: those of the program; 0 when the window was closed; 128 and the number of the signal that ended it; 127 when it was not found
`,
  run: async () => (await import('./record/record-run.js')).runRecord,
})
