/**
 * Imports a package of this folder's own `package.json`. These packages are not installed in the workspace, so that each
 * caller declares the types that it uses.
 */
export async function loadPeer<Module>(name: string): Promise<Module> {
  return (await import(name)) as Module;
}
