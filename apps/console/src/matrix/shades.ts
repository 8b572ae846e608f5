import styles from './shades.module.css';

/** The least numbers of open violations of the colors after the first. */
export const SHADES = [1, 2, 5, 10, 50] as const;

/** The class that sets `--shade`, the color of a number of open violations. */
export const shadeOf = (open: number): string => styles[`shade${SHADES.filter((least) => open >= least).length}`] ?? '';
