/** Options of every command: flags and meaning. The environment variable behind a flag stands in brackets. */
export const globalOptions: ReadonlyArray<readonly [flags: string, meaning: string]> = [
  ['--json', 'machine output: one JSON object, or one a line'],
  ['--config <file>', 'lab file; default ./oauth-lab.yaml, else built in [OAUTH_LAB_CONFIG]'],
  ['--server <url>', 'use this running lab [OAUTH_LAB_SERVER]'],
  ['--cacert <file>', 'trust this CA [OAUTH_LAB_CACERT]'],
  ['--timeout <duration>', 'give up on a network wait; default 30s [OAUTH_LAB_TIMEOUT]'],
  ['--show-secrets', 'do not mask secrets and tokens'],
  ['--no-color', 'no colours [NO_COLOR]'],
  ['--ascii', 'draw with ASCII characters only'],
]
