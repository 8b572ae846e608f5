import { useQuery } from '@tanstack/react-query';
import { brandQuery } from '../service/brand.ts';
import styles from './brand.module.css';

export interface BrandProps {
  /** Of its place. */
  readonly className: string | undefined;
}

/** Whose console this is: the title and the logo of the tenant, or the name of this product. */
export function Brand({ className = '' }: BrandProps) {
  const { data: brand } = useQuery(brandQuery);
  return (
    <p className={`brand ${className} ${brand.logo === null ? '' : styles['own']}`} dir="auto">
      {brand.logo !== null && <img src={brand.logo} alt="" className={styles['logo']} />}
      {brand.title}
    </p>
  );
}
