import { command } from './program/command.js'
import { serveOptions } from './serve/serve-options.js'

/** `oauth-lab serve`: runs the lab until a signal ends it. */
export const serveCommand = command('serve', {
  description: 'start the servers of the lab, and print what happens on them',
  options: serveOptions,
  help: `
Examples:
  oauth-lab serve
  oauth-lab serve --port 0 --http-port 0 --json
  oauth-lab serve --config oauth-lab.yaml --san lab.example
  oauth-lab serve --host 0.0.0.0 --san 192.0.2.7
  oauth-lab serve --redirect-uri http://localhost:9876/callback
  oauth-lab serve --client-port 8448
  oauth-lab serve --stage shared-secret
  oauth-lab serve --host 0.0.0.0 --registration open
  oauth-lab serve --profile reference --explain
  oauth-lab serve --fail token:invalid_grant:once --fail authorization:temporarily_unavailable
  oauth-lab serve --rate-limit 5/10s
  oauth-lab serve --weak redirect-any,no-iss
  oauth-lab serve --seed 7 --now 2030-01-01T12:00:00Z
`,
  run: async () => (await import('./serve/serve-run.js')).runServe,
})
