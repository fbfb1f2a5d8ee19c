"""Weights for assent candidates: made by tests/eval/train_decisions.py, read by model.py, not for people.

A compressed table of trees; no text and no words went into it.
"""

from __future__ import annotations

from typing import Final

PACKED: Final = (
    b"c-oCv+iv4H4E>irdkm4f@2?a^;7Q$?pxrnVr|1BS{r4p)o04-GEKo$YB~j$z;YI!D={Wp7&QE_mKMik}@x0ql=kvI~9H!$__cYA!<Lf%^hRbd|^6"
    b"U5EJkqfLIh<!2$JfJU-d#S=yybA*?LVgZaQs0pBzYcwjJtIupTz=>(<{GDZ*P3!GP%4>ucN*c-PX5XpX0nJRz7^~hW({^+y9&n`?38n9WUo$Zr8j"
    b"Wem8F))AZiF%GkWmm*Mg`Hy^&Hv#dX{9z1b6?B8WPPp4@fK6al+0)sv@%AUv5$3g5ke;()Eas15+&6nwP5;QK;`zXQ|2v-rb_%!Tg$!h7>)<0yxa"
    b"1o8wlrNJ1W6=3k4c5E}I)8qQ@}S0%S;MhN7yDjFlk+H~c($fP?0uIyL%-jk`(}D$V&F%53ebU}ztl`-TpweyFWoa**&92^y;=5wg>{iP(5<JGNr!"
    b"oz#OO#u>@3f2SJ`M)M5YzC)i8v-F7vVK5a>5pr_x<qkMy}i((s;i5G&{ePqP@-MPjS5tAOY`*99yViVAt11DF1XfN*7k&#DX3_Tm87VPj-cq^lSU"
    b"w0M!UaT*4NHwqBo)-MFo^5ji=aF(q)L+TJ#(PH~52R$FYxM}g)VnaEs_*5Ug_4PPtwY9K15N+<jHOG0M^*r_rl>J+FfKtej?_FoBXqT0H1WKhB!B"
    b"Y2QwbvqEyJkh3v}AIjOd<j18w(<?vf>SQp<#G#RCq)V!h5TN%SmN5m@lfV%(behiMlg{hfXrpNjBa_wg!$*Ov%M#B+6IZW3|kphydSa4vjbm6}qi"
    b"$)~Rh?B;+dJViT9KF$7XW5eP|F#XBj=Y2bJlYrJe^5PDT1*G5e7jfPWv5Hb`?m1m$9)zvK0rF5H(&|Oo$20Hw~-2losE7CE$>h=l=;62KTRjOwWo"
    b"X^?>fVzl-me_9Xb&i3kq~z_X3f2r`tJj%f)nye3K6{g3Fsm!j*hd8cYdW+P9ar&U6&s<=eF+*QHr)iAQSY=4-y|(m;-b0opv#qg*d&d*s6@4<WY="
    b"xTh&4uYCG1vxg9?CiCH9P|1<5EqoNtQ6Rb38k6#hYk!-qVsG^BWulIxXLm4$^yWPwe$mATsMQbottYO!@r<sHetI?>k?p`kstNh{T)MU4ZsA59p$"
    b"u!^E&(Zn8&O|G^<h271ZH4bqR!pGCP<nET}bXB~y6hMd#Y;+VfVWOu%Jx{ua)kRmZRlZW{gKg<Rt=!nq6<TOCs{v)@4P7<dF{D3v*=hG<uK>D7PO"
    b"RjFTCyIlRyDN~!`y<m?P;AF9F;Ln>iZJp+f1jCiay>ca~iH0A5~kdu?A#5Y;w7)C5oEthB0o_A=G#@w=v<=2jO9h0a|L^bq9t@x#%9EW_5q4&dJM"
    b"q2sbs#_=;N){@co$S^-v)`!&7PmQ6Y9D5!92a#~e3IXza{*6u=kwNw%ETUzKvg2IPvY3Ofl!~eQJNX6D_5wHmg=^`LCy_n|vr7PRy6i!90w=}Ck3"
    b"Xh0c+fGuCoZ3uzr&05;4A<ry$>41btGyk7ZL-Q%0jInp{V2j?lQ1gwF}%<{^ZQ|-Yo_TFaWp0$EhOgxo%1vghgZ6QeoGwCv5%RdB2k$WQ|xWx1~~"
    b"Qv1RWRpoY)zmkCE<zH2TOHCG^yVXC5JN0rowK0Ul%EVo&t)oE&^_<yPT)@LYLZpB-OgT^}9S4+7C~u5!Jl+XxL{na8%zd^w;oGFUXyZpY*DnOsfF"
    b"u+P9(2J9nn<4+_pT-C6*;!*6ORIr|mVu1RPg?2q%RT#UTq_gLHlekADxDqFL%B7sD$On-dQ)>4jCp~V~BD+MCG@`O82AE=xDds`37K-suuz&&$6r"
    b"`{KhXqG0uwp?O3+T4^z!sO-;vric=6XX;{$d|L3x91_5}FKg3Hs%q2FxAfOE@i+ROZ0vLU}BmRVw68YojaW082oJZfVsdxLj8*YmA5~Ly{?h$D}0"
    b"T$h{UvrIk07V~E782?PO+j%J0>$P(lpfd<bD>H5YH^M6DbX%TGs>Q7!Vyuew{N4k*33)~6Nz{!LL29>;MMAJ|{23}69`I%_Nzh0Cf&{<$IqD<oOr"
    b"ol-HOkUQfC<vq^hh-z%GdSLtQKV!mMq~$NNa^L@{{R|<I1v"
)
