package main

import "math"

// hash mixes the bits of its arguments (SplitMix64's finaliser over each).
func hash(values ...uint64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, v := range values {
		h = mixBits(h ^ v)
	}
	return h
}

func mixBits(h uint64) uint64 {
	h += 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// fraction is a number from [0, 1) made of a hash.
func fraction(h uint64) float64 { return float64(h>>11) / (1 << 53) }

// gaussian is a standard normal number for an index and a seed.
func gaussian(index, seed uint64) float64 {
	h := hash(index, seed)
	return math.Sqrt(-2*math.Log(1-fraction(h))) * math.Cos(2*math.Pi*fraction(mixBits(h)))
}

// noise is value noise in the plane: smooth, from -1 to 1, features one unit apart.
func noise(x, y float64) float64 {
	x0, y0 := math.Floor(x), math.Floor(y)
	at := func(i, j float64) float64 {
		return 2*fraction(mixBits(mixBits(uint64(int64(x0+i)))^uint64(int64(y0+j)))) - 1
	}
	fx, fy := step(0, 1, x-x0), step(0, 1, y-y0)
	top := at(0, 0) + fx*(at(1, 0)-at(0, 0))
	bottom := at(0, 1) + fx*(at(1, 1)-at(0, 1))
	return top + fy*(bottom-top)
}

// cloud adds octaves of noise, each half as strong and twice as fine as the one before.
func cloud(x, y float64, octaves int) float64 {
	sum, weight := 0.0, 0.5
	for range octaves {
		sum += weight * noise(x, y)
		x, y, weight = 2.03*x+17.1, 2.03*y-9.7, weight/2
	}
	return sum
}

// samples is the number of samples that a pixel averages.
const samples = strata * strata

// A sampler hands the samples of one pixel their numbers. Pairs are stratified over the samples, so that 25 of them are
// worth several times as many independent ones.
type sampler struct {
	pixel  uint64
	sample int // the current one
	drawn  int // pairs that it has drawn
	orders [][samples]uint8
}

// next starts another sample.
func (s *sampler) next(sample int) { s.sample, s.drawn = sample, 0 }

// pair returns the sample's next two numbers from [0, 1).
func (s *sampler) pair() (float64, float64) {
	if s.drawn == len(s.orders) {
		s.orders = append(s.orders, shuffled(hash(s.pixel, uint64(s.drawn))))
	}
	cell := int(s.orders[s.drawn][s.sample])
	jitter := mixBits(s.pixel + uint64(s.drawn)<<48 + uint64(s.sample)<<40)
	s.drawn++
	return (float64(cell%strata) + fraction(jitter)) / strata,
		(float64(cell/strata) + fraction(mixBits(jitter))) / strata
}

// shuffled is an order of the strata.
func shuffled(seed uint64) (order [samples]uint8) {
	for i := range order {
		order[i] = uint8(i)
	}
	for i := samples - 1; i > 0; i-- {
		seed = mixBits(seed)
		j := seed % uint64(i+1)
		order[i], order[j] = order[j], order[i]
	}
	return order
}
