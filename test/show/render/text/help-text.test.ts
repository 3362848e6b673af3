import { expect, it } from 'vitest'
import { helpText } from '../../../../src/show/render/text/help-text.js'

const HELP = `
Examples:
  oauth-lab explain login.har                    a HAR of DevTools
  oauth-lab explain invalid_grant  an error code alone, with its likeliest causes
  oauth-lab flow code --user alice --scope 'openid profile email' --json | jq -s .

Nothing is sent: the recording is judged by its own clock.
It sees no checks of the client.

Exit codes:
  1  a fault was found, or a login has no good end
`

it.each([
  [200, HELP],
  [
    60,
    `
Examples:
  oauth-lab explain login.har
      a HAR of DevTools
  oauth-lab explain invalid_grant  an error code alone,
                                   with its likeliest
                                   causes
  oauth-lab flow code --user alice --scope \\
    'openid profile email' --json | jq -s .

Nothing is sent: the recording is judged by its own clock.
It sees no checks of the client.

Exit codes:
  1  a fault was found, or a login has no good end
`,
  ],
  [
    44,
    `
Examples:
  oauth-lab explain login.har
      a HAR of DevTools
  oauth-lab explain invalid_grant
      an error code alone, with its
      likeliest causes
  oauth-lab flow code --user alice \\
    --scope 'openid profile email' --json \\
    | jq -s .

Nothing is sent: the recording is judged by
its own clock. It sees no checks of the
client.

Exit codes:
  1  a fault was found, or a login has no
     good end
`,
  ],
])('fits a terminal of %i columns', (columns, text) => expect(helpText(HELP, columns)).toBe(text))
