import { Command } from 'commander'
import { withGlobals } from './program/globals.js'
import { lazilyExiting } from './program/lazily.js'
import type { RecordFlags } from './record/record-flags.js'

const examples = `
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
`

/** `oauth-lab record`: records the logins of a program. */
export function recordCommand(): Command {
  return withGlobals(new Command('record'))
    .description('record the OAuth exchanges of a Node.js program with all that it starts, or of a browser')
    .argument('[program...]', 'the program with its arguments, after --')
    .option(
      '--browser <url>',
      'open this address in Chromium, Chrome or Edge with a new profile, and record it',
    )
    .option('--headless', 'open the browser without a window')
    .option('-o, --output <file>', 'the recording (default: a new login.har here)')
    .option('--plain', 'print a line for each exchange on stderr (default)')
    .addHelpText('after', examples)
    .action(
      lazilyExiting<[string[], RecordFlags]>(async () => (await import('./record/record-run.js')).runRecord),
    )
}
