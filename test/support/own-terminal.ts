// Ink reads these once, when the first file of a worker imports it; the tests' own terminal is neither a CI nor coloured.
for (const name of ['CI', 'CONTINUOUS_INTEGRATION', 'INK_SCREEN_READER']) delete process.env[name]
process.env.FORCE_COLOR = '0'
