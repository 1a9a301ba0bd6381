/** Ends the process with one sentence when Node is too old for the code that would be loaded next. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(
    `Bot Analytics needs Node 20.19 or newer, this is ${process.version}: install a newer Node and run the command again.`,
  );
  process.exit(1);
}
